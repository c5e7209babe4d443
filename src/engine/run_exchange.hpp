// One-shot exchanges by any algorithm.
#pragma once

#include "context/blocks.hpp"
#include "context/context.hpp"
#include "shunt/counters.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// Makes the exchange by the algorithm of `schedule`, whose restriction the blocks keep: straight
/// where it has one stage. Collective; `head_bytes` is the same on all ranks. Throws
/// Error(truncated) where the ranks' counts do not agree.
Counters run_exchange(Context& context, const Schedule& schedule, const Options& options,
                      Bytes head_bytes, const SendBlocks& send, const ReceiveBlocks& receive);

}  // namespace shunt
