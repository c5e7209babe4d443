// Broadcasts of byte blocks with the caller's options, for all interfaces.
#pragma once

#include <memory>
#include <vector>

#include "bindings/block_calls.hpp"
#include "exchange/blocks.hpp"
#include "exchange/yard_state.hpp"
#include "shunt/counters.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// Throws Error(truncated) where this rank's own block, of `own` bytes, has another length than its
/// place among those that arrive.
void expect_own(const YardState& yard, Bytes own, const std::vector<Bytes>& received);

/// Brings all blocks to all ranks. Throws Error(truncated) where the own block has another length
/// than its place, and where the ranks' lengths turn out not to agree.
Counters broadcast_blocks(const std::shared_ptr<YardState>& yard, const Options& options,
                          const BroadcastBlocks& blocks);

/// The same as a plan.
[[nodiscard]] PlannedBlocks plan_broadcast(const std::shared_ptr<YardState>& yard,
                                           const Options& options, const BroadcastBlocks& blocks);

}  // namespace shunt
