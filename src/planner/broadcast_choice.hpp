// Chooses broadcasts: by prediction, and for plans by trying the likely ones.
#pragma once

#include <memory>
#include <string>

#include "exchange/blocks.hpp"
#include "exchange/planned_exchange.hpp"
#include "planner/trials.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// Runs the broadcast that `options` names; for "auto" the one that is expected to be the fastest.
/// Collective; what was made for the same blocks, or chosen for sources alike (`SourcesClass`), is
/// kept.
[[nodiscard]] Counters broadcast_once(const std::shared_ptr<YardState>& yard,
                                      const Options& options, const BroadcastBlocks& blocks);

/// Plans the broadcast that `options` names. Collective over the node.
[[nodiscard]] std::unique_ptr<PlannedExchange> make_broadcast_plan(
    const std::shared_ptr<YardState>& yard, const Options& options, const BroadcastBlocks& blocks);

/// Collective; all ranks get the same choice, from one reduction of whether MPI's ints suffice and
/// one of the times. Up to some MiB in all the likely broadcasts and MPI's own collective are tried
/// a few times with scratch blocks of the same lengths; beyond, the model decides.
[[nodiscard]] PlanChoice choose_broadcast_plan(const std::shared_ptr<YardState>& yard,
                                               const Options& options,
                                               const BroadcastBlocks& blocks);

}  // namespace shunt
