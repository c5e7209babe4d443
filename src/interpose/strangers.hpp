// Processes of another MPI_COMM_WORLD: they were started otherwise, and may not have this library
// even where this rank has. Open MPI 5.0 does not pass LD_PRELOAD on to what MPI_Comm_spawn starts.
#pragma once

#include <mpi.h>

namespace shunt::interpose {

/// Notes that the program has made a communicator of two groups. Until then nobody is a stranger.
void note_merge() noexcept;

/// Returns whether `comm`, an intracommunicator, has processes of more than one MPI_COMM_WORLD. All
/// its ranks get the same answer. Local.
[[nodiscard]] bool has_strangers(MPI_Comm comm);

}  // namespace shunt::interpose
