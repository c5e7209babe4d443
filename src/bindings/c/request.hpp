// Persistent requests of the C interface.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "bindings/c/arguments.hpp"
#include "bindings/c/pair_exchange.hpp"
#include "bindings/plan_implementation.hpp"
#include "shunt/shunt.h"

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

/// Throws Error(argument) where the pointer to `name` is null.
void expect_pointer(const void* pointer, const char* name);

/// Makes a request for what `make` returns, which throws on all ranks where `request` is null on
/// any; reports errors as `function`, to `comm`.
int make_request(const char* function, MPI_Comm comm,
                 const std::function<std::unique_ptr<PersistentCall>()>& make,
                 SHUNT_Request* request);

/// Makes a request for the exchange of `call`, as the function above does.
int make_request(const Call& call, SHUNT_Request* request);

}  // namespace shunt::c
