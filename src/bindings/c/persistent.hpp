// What a persistent request of the C interface starts and waits for.
#pragma once

#include <memory>
#include <utility>

#include "bindings/c/pair_exchange.hpp"
#include "bindings/plan_implementation.hpp"

namespace shunt::c {

/// A plan, recorded by its trace, and the exchange of long blocks in place that goes with it.
class PersistentCall {
 public:
  explicit PersistentCall(std::unique_ptr<Plan::Implementation> plan,
                          std::unique_ptr<PairExchange> pairs = nullptr)
      : plan_(std::move(plan)), pairs_(std::move(pairs)) {}

  void start() {
    plan_->trace.start([&] {
      plan_->start();
      if (pairs_) pairs_->start();
    });
  }

  void wait() {
    plan_->trace.go_on([&] {
      plan_->wait();
      if (pairs_) pairs_->wait();
    });
  }

  /// Returns whether it is over.
  [[nodiscard]] bool test() {
    return plan_->trace.go_on([&] {
      const bool over = plan_->test();
      return (!pairs_ || pairs_->test()) && over;
    });
  }

 private:
  std::unique_ptr<Plan::Implementation> plan_;
  std::unique_ptr<PairExchange> pairs_;  ///< null unless blocks change places
};

}  // namespace shunt::c
