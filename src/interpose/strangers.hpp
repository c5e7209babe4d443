// Processes of another MPI_COMM_WORLD: they were started otherwise, and may not have this library
// even where this rank has. Open MPI 5.0 does not pass LD_PRELOAD on to what MPI_Comm_spawn starts.
#pragma once

#include <atomic>

#include "mpi_calls/mpi_call.hpp"

namespace shunt::interpose {

/// Whether the program has made a communicator of two groups. Until then nobody is a stranger.
inline constinit std::atomic<bool> has_merged{false};

/// Returns whether `comm`, an intracommunicator, has processes of more than one MPI_COMM_WORLD. All
/// its ranks get the same answer. Local.
[[nodiscard]] inline bool has_strangers(MPI_Comm comm) {
  return has_merged.load(std::memory_order_relaxed) && world_ranks_of(comm).empty();
}

}  // namespace shunt::interpose
