// Exchanges that keep within a limit of memory, for all interfaces: in parts if need be.
#pragma once

#include <memory>

#include "bindings/block_calls.hpp"
#include "bindings/plan_implementation.hpp"
#include "exchange/block_parts.hpp"

namespace shunt {

/// As `exchange_blocks`, with Options::memory above 0. For "auto" one choice (`OneShot`) is made
/// for all parts. Collective; one or two reductions come before the exchange. Throws
/// Error(argument) on all ranks where the limit is too low.
Counters exchange_within(const std::shared_ptr<YardState>& yard, const Options& options,
                         Bytes head_bytes, BlockParts& parts);

/// As `plan_blocks`, likewise. What the plan packs is packed by itself.
[[nodiscard]] PlannedBlocks plan_within(const std::shared_ptr<YardState>& yard,
                                        const Options& options, std::unique_ptr<BlockParts> parts);

/// A one-shot exchange with a limit or without one.
Counters exchange_sides(const std::shared_ptr<YardState>& yard, const Options& options,
                        BlockParts& sides);

/// The same as a plan.
[[nodiscard]] std::unique_ptr<Plan::Implementation> plan_sides(
    const std::shared_ptr<YardState>& yard, const Options& options,
    std::unique_ptr<BlockParts> sides);

}  // namespace shunt
