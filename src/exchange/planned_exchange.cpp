#include "exchange/planned_exchange.hpp"

#include <algorithm>
#include <thread>

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
    help_all();
    std::this_thread::yield();
  }
}

bool PlannedExchange::test() {
  if (active_) help_all();
  return !active_;
}

void PlannedExchange::execute() {
  start();
  wait();
}

void PlannedExchange::finish() {
  active_ = false;
  std::erase(yard_->active, this);
}

void PlannedExchange::help_all() {
  // A run that ends takes itself off the list.
  const std::vector<ActiveRun*> runs = yard_->active;
  for (ActiveRun* run : runs) run->advance(false);
}

}  // namespace shunt
