// Times of repeated collective operations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
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

/// The ending of the noun behind `number`.
inline const char* plural(auto number) { return number == 1 ? "" : "s"; }

/// `number` in at most `width` characters, 5 or more, with up to `decimals` after the point: a
/// column may be full, but not run into the next one.
inline std::string number_text(double number, int decimals, std::size_t width) {
  for (; decimals >= 0; --decimals) {
    std::string text = fmt::format("{:.{}f}", number, decimals);
    if (text.size() <= width) return text;
  }
  return fmt::format("{:.0e}", number);
}

}  // namespace shunt::example
