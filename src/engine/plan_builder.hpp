// Makes plans: follows the counts through all stages once, with messages that carry tables of
// contents only.
#pragma once

#include <memory>

#include "engine/plan_run.hpp"

namespace shunt {

/// Collective. The blocks' memory must outlive the plan. Throws Error(truncated) where the ranks'
/// counts do not agree. `buffers`, if any, are those of other plans of which none is under way
/// while this one is; where they have to grow, those cannot be used any more.
[[nodiscard]] std::unique_ptr<PlanRun> build_plan(const std::shared_ptr<Context>& context,
                                                  const Schedule& schedule, const Options& options,
                                                  const SendBlocks& send,
                                                  const ReceiveBlocks& receive,
                                                  std::shared_ptr<PlanBuffers> buffers = nullptr);

}  // namespace shunt
