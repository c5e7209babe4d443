// Chooses allgathers: by prediction, and for plans by trying the likely ones.
#pragma once

#include <memory>
#include <string>

#include "context/blocks.hpp"
#include "engine/planned_exchange.hpp"
#include "model/configuration.hpp"
#include "planner/trials.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// Whether ranks that share a node show their blocks to each other at once. The same on all ranks:
/// of several nodes, those of a single rank share nothing. Collective where the nodes are not
/// known.
[[nodiscard]] bool may_use_broadcast_buffers(Context& context, const Options& options);

/// Runs an all-gather by the configuration. Collective; what was made for the same blocks is kept.
[[nodiscard]] Counters allgather_once(const std::shared_ptr<Context>& context,
                                      const Configuration& configuration,
                                      const AllgatherBlocks& blocks);

/// Plans an all-gather by the configuration. Collective over the node.
[[nodiscard]] std::unique_ptr<PlannedExchange> make_allgather_plan(
    const std::shared_ptr<Context>& context, const Configuration& configuration,
    const AllgatherBlocks& blocks);

/// Collective; all ranks get the same choice, from one reduction of whether MPI's ints suffice, and
/// what rank 0 remembers or the reductions of the trials. Up to some MiB in all the likely
/// all-gathers and MPI's own collective are tried a few times with scratch blocks of the same
/// lengths; beyond, or where these do not fit into the memory that `options` allow, the model
/// decides.
[[nodiscard]] PlanChoice choose_allgather_plan(const std::shared_ptr<Context>& context,
                                               const Options& options,
                                               const AllgatherBlocks& blocks);

}  // namespace shunt
