// Makes plans: follows the counts through all stages once, with messages that carry tables of
// contents only.
#pragma once

#include <memory>

#include "exchange/plan_run.hpp"

namespace shunt {

/// Collective. The blocks' memory must outlive the plan. Throws Error(truncated) where the ranks'
/// counts do not agree.
[[nodiscard]] std::unique_ptr<PlanRun> build_plan(const std::shared_ptr<YardState>& yard,
                                                  const Schedule& schedule, const Options& options,
                                                  const SendBlocks& send,
                                                  const ReceiveBlocks& receive);

}  // namespace shunt
