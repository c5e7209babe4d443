// The MPI library's own collectives as one-shot calls of blocks of any lengths. No rank knows
// whether MPI's ints suffice for the others, and none has to ask.
#pragma once

#include <limits>

#include "context/blocks.hpp"
#include "context/context.hpp"
#include "shunt/counters.hpp"

namespace shunt {

/// The largest count and displacement of MPI.
inline constexpr Bytes kLargestInt = std::numeric_limits<int>::max();

/// Exchanges blocks by MPI_Ialltoallv, which moves the first `largest` / ranks bytes of each block,
/// and by straight messages with the rest of longer ones. Where this rank's blocks lie too far
/// apart for displacements up to `largest`, MPI_Ialltoallv moves packed copies: up to `largest`
/// bytes in each direction, which `Counters::memory` counts. Collective. `largest` is equal on all
/// ranks, and smaller than kLargestInt in tests alone.
[[nodiscard]] Counters call_alltoallv(Context& context, const SendBlocks& send,
                                      const ReceiveBlocks& receive, Bytes largest = kLargestInt);

/// Whether all blocks of an all-gather together, `total` bytes, are within the largest displacement
/// of MPI.
[[nodiscard]] bool allgatherv_carries(Bytes total);

/// Gathers blocks by MPI_Allgatherv, after a barrier that drives other exchanges, or, if they are
/// short, by MPI_Iallgatherv. Receives into a packed copy where blocks lie too far apart for
/// displacements up to `largest`. Collective. Throws Error(count) unless `allgatherv_carries` the
/// blocks.
[[nodiscard]] Counters call_allgatherv(Context& context, const AllgatherBlocks& blocks,
                                       Bytes largest = kLargestInt);

}  // namespace shunt
