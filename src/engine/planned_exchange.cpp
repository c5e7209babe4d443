#include "engine/planned_exchange.hpp"

#include <algorithm>
#include <utility>

#include "shunt/error.hpp"

namespace shunt {

PlannedExchange::~PlannedExchange() { std::erase(context_->progress.active, this); }

void PlannedExchange::expect_idle() const {
  if (active_) {
    throw Error(ErrorKind::argument,
                "the plan is under way: wait for it before it is started again");
  }
  if (is_broken_) {
    throw Error(ErrorKind::argument, "the plan has failed before; it can only be destroyed");
  }
}

void PlannedExchange::start() {
  expect_idle();
  failure_ = nullptr;
  is_broken_ = true;
  const bool has_begun = begin();
  is_broken_ = false;
  if (!has_begun) return;
  active_ = true;
  context_->progress.active.push_back(this);
}

void PlannedExchange::wait() {
  while (active_) {
    if (context_->progress.active.size() == 1) {
      make_progress(true);
      continue;
    }
    context_->progress.progress_active();
    context_->progress.poll();
  }
  rethrow_failure();
}

bool PlannedExchange::test() {
  if (active_) context_->progress.progress_active();
  // A run that only looks into shared memory makes no call that MPI could use.
  if (active_) context_->progress.look();
  rethrow_failure();
  return !active_;
}

void PlannedExchange::make_progress(bool wait) noexcept {
  try {
    advance(wait);
  } catch (...) {
    failure_ = std::current_exception();
    is_broken_ = active_;
    finish();
  }
}

void PlannedExchange::rethrow_failure() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void PlannedExchange::finish() {
  active_ = false;
  std::erase(context_->progress.active, this);
}

}  // namespace shunt
