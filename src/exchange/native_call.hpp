// The MPI library's own collectives as one-shot calls of blocks of any lengths. No rank knows
// whether MPI's ints suffice for the others, and none has to ask.
#pragma once

#include <limits>

#include "exchange/blocks.hpp"
#include "exchange/yard_state.hpp"
#include "shunt/counters.hpp"

namespace shunt {

/// What MPI's counts and displacements go up to.
inline constexpr Bytes kLargestInt = std::numeric_limits<int>::max();

/// MPI_Ialltoallv, for the first `largest` / ranks bytes of each block, and straight messages for
/// what is left of longer ones. Where this rank's blocks lie too far apart for displacements up to
/// `largest`, packed copies of what MPI_Ialltoallv moves stand in: up to `largest` bytes of a side,
/// which `Counters::memory` counts. Collective. `largest` is the same on all ranks, and smaller
/// than kLargestInt in tests alone.
[[nodiscard]] Counters call_alltoallv(YardState& yard, const SendBlocks& send,
                                      const ReceiveBlocks& receive, Bytes largest = kLargestInt);

/// Whether all blocks of a broadcast together are no more than MPI's displacements go up to.
[[nodiscard]] bool allgatherv_carries(Bytes total);

/// MPI_Allgatherv, after a barrier that helps other exchanges along, or for few bytes
/// MPI_Iallgatherv; likewise with a packed copy of what is received. Collective. Throws
/// Error(count) unless `allgatherv_carries` the blocks.
[[nodiscard]] Counters call_allgatherv(YardState& yard, const BroadcastBlocks& blocks,
                                       Bytes largest = kLargestInt);

}  // namespace shunt
