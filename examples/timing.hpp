// The time of a collective operation.
#pragma once

#include <mpi.h>

namespace shunt::example {

/// Seconds that `action` takes on the slowest rank, the same on all ranks.
template <class Action>
double seconds_of(Action&& action) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  action();
  double seconds = MPI_Wtime() - begin;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

}  // namespace shunt::example
