// Broadcasts with a limit of memory or without one, for all interfaces. Within a limit they pack no
// messages of several pieces, and packed copies of blocks are made part by part.
#pragma once

#include <cstddef>
#include <memory>

#include "bindings/plan_implementation.hpp"
#include "exchange/block_parts.hpp"

namespace shunt {

/// A one-shot broadcast of block `own` of those to send. Throws as `broadcast_blocks` and
/// `exchange_within` do. Collective; with a limit, one reduction comes first.
Counters broadcast_sides(const std::shared_ptr<YardState>& yard, const Options& options,
                         BlockParts& sides, std::size_t own);

/// The same as a plan.
[[nodiscard]] std::unique_ptr<Plan::Implementation> plan_broadcast_sides(
    const std::shared_ptr<YardState>& yard, const Options& options,
    std::unique_ptr<BlockParts> sides, std::size_t own);

}  // namespace shunt
