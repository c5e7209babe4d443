// A planned exchange, and how the user's elements get into it and out of it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collective/problem.hpp"
#include "shunt/plan.hpp"
#include "trace/traced_call.hpp"

namespace shunt {

class Plan::Implementation {
 public:
  Implementation(std::shared_ptr<Context> context, PlannedCollective planned)
      : context_(std::move(context)), planned_(std::move(planned)) {}

  void start();
  void wait();
  [[nodiscard]] bool test();

  [[nodiscard]] const Counters& counters() const { return planned_.exchange->counters; }
  [[nodiscard]] std::string explain() const;

  // For who makes the plan, before it is started.
  TracedPlan trace;                         ///< records nothing unless it is set
  std::unique_ptr<PlannedExchange> beside;  ///< made together with the plan; null: none

 private:
  void unpack();
  [[nodiscard]] std::string explain_memory() const;

  std::shared_ptr<Context> context_;
  PlannedCollective planned_;
  bool pending_ = false;  ///< started, and what arrived is not unpacked yet
};

/// `run_once`, recorded as a call of `function` where the environment asks for it.
Counters run_traced(const Problem& problem, const char* function, BlockParts& buffers);

/// Plans the problem with these buffers. Where the environment asks for it, its starts are recorded
/// as calls of `function`, which outlives the plan. They move what `sent` says, in bytes by rank or
/// in the first entry for all; null: what the buffers have. Collective, and throws, as `plan` does.
[[nodiscard]] std::unique_ptr<Plan::Implementation> plan_traced(
    const Problem& problem, std::unique_ptr<BlockParts> buffers, const char* function,
    const std::vector<Bytes>* sent = nullptr);

/// Plans the exchange or all-gather of the parts that `read` makes of this rank's own arguments, on
/// all ranks or on none. Collective, and throws, as the function of Communicator does.
[[nodiscard]] Plan plan_read(const Collective& kind, const std::shared_ptr<Context>& context,
                             const Options& asked, const char* function,
                             const std::function<std::unique_ptr<BlockParts>()>& read);

}  // namespace shunt
