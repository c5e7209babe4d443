// One exchange of the C interface, from its arguments to the engine.
#pragma once

#include <functional>
#include <memory>

#include "bindings/c/arguments.hpp"
#include "bindings/c/choice.hpp"
#include "bindings/c/pair_exchange.hpp"
#include "bindings/c/persistent.hpp"
#include "bindings/c/report.hpp"
#include "bindings/plan_implementation.hpp"
#include "exchange/context.hpp"
#include "shunt/options.hpp"
#include "trace/traced_call.hpp"

namespace shunt::c {

/// What is known when nothing has been moved yet.
struct Prepared {
  Form form;
  int root;  ///< kNoRoot of a collective that has none
  std::shared_ptr<Context> context;
  Options options;
  Arguments arguments;

  /// Whether long blocks change places pair by pair. Within a limit of memory all blocks leave from
  /// packed copies, part by part: those of two ranks have the same length both ways, so a part
  /// arrives where the same part has left.
  [[nodiscard]] bool swaps() const {
    return !arguments.send && !arguments.broadcast && options.memory == 0;
  }
};

/// Reads and checks the arguments; with SHUNT_CHECK those of all ranks, which throws what is wrong
/// with them. Collective where the communicator is new. Throws Error.
[[nodiscard]] Prepared prepare(const Call& call);

/// Reads the arguments of a plan, for which all ranks find out whether each can use its arguments:
/// `expect_more` throws where something else is wrong with this rank's. Collective.
[[nodiscard]] Prepared prepare_plan(const Call& call, const std::function<void()>& expect_more);

/// Makes the exchange once, now. False if it fails: the caller reports the `failure`.
[[nodiscard]] bool make_exchange(const Call& call, Failure& failure) noexcept;

/// Makes the exchange once, by `choice`, which this begins and the caller ends. Where the choice is
/// MPI's own function, moves nothing and leaves the exchange to the caller; such callers have asked
/// whether the buffers are memory of a device. Throws Error.
void exchange_once(const Call& call, Choice& choice);

/// An exchange to be made many times.
class PersistentExchange final : public Persistent {
 public:
  /// `function` is the one that the caller has called for it.
  PersistentExchange(const char* function, Prepared prepared);

  void start() override;
  void wait() override;
  [[nodiscard]] bool test() override;

 private:
  std::unique_ptr<Plan::Implementation> plan_;
  std::unique_ptr<PairExchange> pairs_;  ///< null unless blocks change places
  TracedPlan trace_;
};

}  // namespace shunt::c
