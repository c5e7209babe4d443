// Exchanges of byte blocks with the caller's options, for all interfaces.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/planned_exchange.hpp"
#include "exchange/yard_state.hpp"
#include "planner/plan_choice.hpp"
#include "planner/trials.hpp"
#include "shunt/counters.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// What the stages of an algorithm or a broadcast do.
template <class Staged>
[[nodiscard]] std::vector<std::string> stage_names_of(const Staged& staged) {
  std::vector<std::string> names;
  for (int stage = 0; stage < staged.stages(); ++stage) names.push_back(staged.stage_name(stage));
  return names;
}

/// The schedule of an exchange of which nobody knows what the others have: for "auto" the one that
/// goes straight. See YardState::schedule.
[[nodiscard]] const Schedule& one_shot_schedule(YardState& yard, const Options& options);

/// The schedule that the options name; null for "auto" and "native". See YardState::schedule.
[[nodiscard]] const Schedule* named_schedule(YardState& yard, const Options& options);

/// Throws Error(argument) where the restriction of the schedule's algorithm forbids one of this
/// rank's blocks, given in bytes by rank.
void expect_carried(YardState& yard, const Schedule& schedule, const std::vector<Bytes>& sent,
                    const std::vector<Bytes>& received);

/// A one-shot exchange; for "auto" as `OneShot` says. Throws Error(argument) where the algorithm's
/// restriction forbids one of this rank's blocks, Error(truncated) where the ranks' counts turn out
/// not to agree.
Counters exchange_blocks(const std::shared_ptr<YardState>& yard, const Options& options,
                         Bytes head_bytes, const SendBlocks& send, const ReceiveBlocks& receive);

struct PlannedBlocks {
  Options options;                       ///< with the algorithm that was chosen
  PlanChoice choice;                     ///< empty: the caller chose
  std::vector<std::string> stage_names;  ///< none of MPI's own
  std::unique_ptr<PlannedExchange> exchange;
  Bytes parts = 1;  ///< in which it is made, one after the other
};

/// The same as a plan. `buffers` as for `build_plan`.
[[nodiscard]] PlannedBlocks plan_blocks(const std::shared_ptr<YardState>& yard,
                                        const Options& options, const SendBlocks& send,
                                        const ReceiveBlocks& receive,
                                        std::shared_ptr<PlanBuffers> buffers = nullptr);

}  // namespace shunt
