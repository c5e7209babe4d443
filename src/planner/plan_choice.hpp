// Chooses a plan for given blocks: by prediction, then by trying the likely ones.
#pragma once

#include <functional>
#include <memory>

#include "context/blocks.hpp"
#include "engine/plan_run.hpp"
#include "engine/planned_exchange.hpp"
#include "planner/choose.hpp"
#include "planner/trials.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// Plans the exchange by the configuration. `buffers` as for `build_plan`.
[[nodiscard]] std::unique_ptr<PlannedExchange> make_plan(const std::shared_ptr<Context>& context,
                                                         const Configuration& configuration,
                                                         const SendBlocks& send,
                                                         const ReceiveBlocks& receive,
                                                         std::shared_ptr<PlanBuffers> buffers = {});

/// Plans an exchange of these blocks by the configuration, MPI's own function included.
using PlanMaker = std::function<std::unique_ptr<PlannedExchange>(
    const Configuration& configuration, const SendBlocks& send, const ReceiveBlocks& receive)>;

/// Chooses for a plan of a `kind` of collective, by whose name it is remembered.
/// Collective; all ranks get the same choice, from what rank 0 remembers, or two reductions of the
/// loads and those of the trials. Up to a load of some MiB a rank the candidates that the model
/// finds likely, and always MPI's own collective, are tried a few times with scratch blocks of the
/// same lengths; beyond, where start-ups do not matter, the model decides. Where `options` limit
/// the memory, candidates that do not fit are left out, and nothing is tried unless all that it
/// takes fits too. The user's buffers stay untouched.
[[nodiscard]] PlanChoice choose_plan(const std::shared_ptr<Context>& context, const char* kind,
                                     const Options& options, const SendBlocks& send,
                                     const ReceiveBlocks& receive, const PlanMaker& make);

}  // namespace shunt
