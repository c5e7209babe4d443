// Exchanges of byte blocks with the caller's options, for all interfaces.
#pragma once

#include <memory>
#include <vector>

#include "exchange/blocks.hpp"
#include "exchange/planned_exchange.hpp"
#include "exchange/yard_state.hpp"
#include "planner/plan_choice.hpp"
#include "shunt/counters.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// Leaves the choice of the algorithm to Shunt.
inline constexpr const char* kAuto = "auto";

/// The options of a one-shot exchange: "auto" becomes the algorithm that goes straight.
[[nodiscard]] Options for_one_shot(const Options& options);

/// Throws Error(argument) where the restriction of the schedule's algorithm forbids one of this
/// rank's blocks, given in bytes by rank.
void expect_carried(YardState& yard, const Schedule& schedule, const std::vector<Bytes>& sent,
                    const std::vector<Bytes>& received);

/// One exchange. Throws Error(argument) where the algorithm's restriction forbids one of this
/// rank's blocks, Error(truncated) where the ranks' counts turn out not to agree.
Counters exchange_blocks(YardState& yard, const Options& options, Bytes head_bytes,
                         const SendBlocks& send, const ReceiveBlocks& receive);

struct PlannedBlocks {
  Options options;    ///< with the algorithm that was chosen
  PlanChoice choice;  ///< empty: the caller chose
  std::unique_ptr<PlannedExchange> exchange;
};

/// The same as a plan.
[[nodiscard]] PlannedBlocks plan_blocks(const std::shared_ptr<YardState>& yard,
                                        const Options& options, const SendBlocks& send,
                                        const ReceiveBlocks& receive);

}  // namespace shunt
