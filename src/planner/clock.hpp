// The clock by which configurations are compared.
#pragma once

#include <mpi.h>

namespace shunt {

/// Returns seconds since some moment, never 0. Tests put a clock of their own here: what is tried
/// and learned then follows from its times, however busy the machine is.
inline double (*clock_of_trials)() = MPI_Wtime;

[[nodiscard]] inline double seconds_now() { return clock_of_trials(); }

}  // namespace shunt
