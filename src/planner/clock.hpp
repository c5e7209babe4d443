// The clock by which ways are compared.
#pragma once

#include <mpi.h>

namespace shunt {

/// Tells seconds since some moment that is not 0. Tests put a clock of their own here: what is
/// tried and learned then follows from the times that they say, however busy the machine is.
inline double (*clock_of_trials)() = MPI_Wtime;

[[nodiscard]] inline double seconds_now() { return clock_of_trials(); }

}  // namespace shunt
