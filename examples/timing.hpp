// Times of repeated collective operations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

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

struct Spread {
  double least;
  double median;
  double most;
};

/// `samples` must not be empty.
inline Spread spread_of(std::vector<double> samples) {
  std::ranges::sort(samples);
  const std::size_t n = samples.size();
  return {samples.front(), (samples[(n - 1) / 2] + samples[n / 2]) / 2, samples.back()};
}

}  // namespace shunt::example
