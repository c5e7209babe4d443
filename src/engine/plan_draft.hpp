// The first half of planning: which messages a plan has, and what they carry.
#pragma once

#include <vector>

#include "context/blocks.hpp"
#include "context/context.hpp"
#include "routing/landing.hpp"
#include "routing/streams.hpp"
#include "shunt/counters.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// One stage while only lengths are known.
struct StageDraft {
  std::vector<Outgoing> outgoing;  ///< by step that sends
  std::vector<Rank> senders;       ///< ascending: the places of the next stage's ranges
  std::vector<Bytes> received;     ///< by sender
};

struct PlanDraft {
  std::vector<StageDraft> stages;
  std::vector<Arrival> arrivals;  ///< of the last stage, whose senders they are

  [[nodiscard]] bool is_last(std::size_t stage) const { return stage + 1 == stages.size(); }
};

/// Follows the blocks through all stages: every message but the last stage's is sent once without
/// its payload. Collective; `tag` is the plan's.
[[nodiscard]] PlanDraft draft_plan(const Context& context, const Schedule& schedule,
                                   const Options& options, int tag, const SendBlocks& send,
                                   const ReceiveBlocks& receive);

/// What one execution will move, by stage.
[[nodiscard]] std::vector<StageCounters> count_messages(const PlanDraft& draft);

}  // namespace shunt
