// One-shot exchanges of ordered blocks: nothing is known before but each rank's own counts.
#pragma once

#include "context/blocks.hpp"
#include "context/context.hpp"
#include "shunt/counters.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// Length of the heads that a one-shot exchange posts receives for.
inline constexpr Bytes kHeadBytes = 8192;

/// Makes the exchange by the algorithm of `schedule`, whose restriction the blocks keep: straight
/// where it has one stage. Collective; `head_bytes` is the same on all ranks. Throws
/// Error(truncated) where the ranks' counts do not agree.
Counters run_exchange(Context& context, const Schedule& schedule, const Options& options,
                      Bytes head_bytes, const SendBlocks& send, const ReceiveBlocks& receive);

/// Makes the exchange by an algorithm of one stage: every block goes straight to its rank, so
/// nothing has to be packed, labelled or followed. Collective; throws as `run_exchange` does.
Counters exchange_directly(Context& context, const Schedule& schedule, const Options& options,
                           const SendBlocks& send, const ReceiveBlocks& receive);

}  // namespace shunt
