#include "exchange/planned_exchange.hpp"

#include <algorithm>

#include "shunt/error.hpp"

namespace shunt {

PlannedExchange::~PlannedExchange() { std::erase(yard_->active, this); }

void PlannedExchange::expect_idle() const {
  if (active_) {
    throw Error(ErrorKind::argument,
                "the plan is under way: wait for it before it is started again");
  }
}

void PlannedExchange::start() {
  expect_idle();
  if (!begin()) return;
  active_ = true;
  yard_->active.push_back(this);
}

void PlannedExchange::wait() {
  while (active_) {
    if (yard_->active.size() == 1) {
      advance(true);
      continue;
    }
    yard_->help_active();
    yard_->relax();
  }
}

bool PlannedExchange::test() {
  if (active_) yard_->help_active();
  // A run that only looks into shared memory makes no call that MPI could use.
  if (active_) yard_->progress();
  return !active_;
}

void PlannedExchange::finish() {
  active_ = false;
  std::erase(yard_->active, this);
}

}  // namespace shunt
