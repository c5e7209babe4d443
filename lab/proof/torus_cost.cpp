#include "lab/proof/torus_cost.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace shunt {

namespace {

/// Blocks that the busiest link carries in each of AR's steps, on a ring of `size` places (even)
/// each of which has `apart` blocks for every other place, but `opposite` for the one half way
/// round (Fig. 2).
std::vector<double> alternating_steps(Rank size, double apart, double opposite) {
  const Rank floor = size / 4;
  const Rank ceiling = (size + 3) / 4;
  const double less = apart - opposite;
  // Stage 1 moves what has an odd distance to go.
  std::vector<double> steps{ceiling * apart - (size / 2 % 2 != 0 ? less : 0)};
  // Stage 2 moves all that was half way round, after stage 1 or from the start.
  for (Rank k = 0; k < floor; ++k) steps.push_back((floor + ceiling - 1 - 2 * k) * apart - less);
  for (Rank k = 0; k + 1 < ceiling; ++k) steps.push_back((floor + ceiling - 2 - 2 * k) * apart);
  return steps;
}

}  // namespace

double least_transmission(const Extents& torus) {
  double least = 0;
  for (int dimension = 0; dimension < torus.dimensions(); ++dimension) {
    const double extent = torus.extent(dimension);
    const double square = extent * extent - (torus.extent(dimension) % 2 != 0 ? 1 : 0);
    least = std::max(least, torus.ranks() / extent * square / 8);
  }
  return least;
}

TorusCost ring_cost(Rank ranks) {
  const double size = ranks;
  return {size / 2, std::ceil(size * size / 8), 0};
}

TorusCost published_torus_cost(Rank rows, Rank columns) {
  const double ranks = static_cast<double>(rows) * columns;
  return {columns / 2.0 + 2, ranks * columns / 8, 3 * ranks};
}

TorusCost split_cost(const Extents& torus) {
  int wide = 0;
  Rank longest = 1;
  for (int dimension = 0; dimension < torus.dimensions(); ++dimension) {
    const Rank extent = torus.extent(dimension);
    if (extent > 1) ++wide;
    longest = std::max(longest, extent);
  }
  const int start_ups = wide * (longest / 2);
  return {static_cast<double>(start_ups), least_transmission(torus),
          static_cast<double>(wide) * torus.ranks()};
}

TorusCost torus_cost(Rank rows, Rank columns) {
  const double ranks = static_cast<double>(rows) * columns;
  // After phase 1 a rank has blocks of two columns of ranks for each other column of its class, but
  // of one for the column half way round: blocks for all rows. Likewise with rows and columns
  // swapped.
  std::vector<double> along_rows = alternating_steps(columns / 2, 2.0 * rows, rows);
  std::vector<double> along_columns = alternating_steps(rows / 2, 2.0 * columns, columns);
  const std::size_t steps = std::max(along_rows.size(), along_columns.size());
  along_rows.resize(steps, 0);
  along_columns.resize(steps, 0);
  double phase = 0;
  for (std::size_t k = 0; k < steps; ++k) phase += std::max(along_rows[k], along_columns[k]);
  return {2.0 + 2.0 * static_cast<double>(steps), ranks / 4 + 2 * phase, 3 * ranks};
}

TorusCost torus_pipeline_cost(Rank rows, Rank columns) {
  const Extents torus({rows, columns});
  const Rank ring_steps = std::max(rows, columns) / 4;
  return {2.0 + 2.0 * ring_steps, least_transmission(torus), 3.0 * torus.ranks()};
}

TorusCost table_2_cost(TorusAlgorithm algorithm, int d) {
  auto power = [](int exponent) { return std::ldexp(1.0, exponent); };
  const double diagonal = power(d - 1);
  switch (algorithm) {
    case TorusAlgorithm::tseng_1997:
      return {diagonal + 2, power(3 * d - 2) + power(2 * d), (diagonal + 1) * power(2 * d)};
    case TorusAlgorithm::suh_1998: {
      const double moved = 9 * power(3 * d - 4) + (d * d - 5 * d + 3) * power(2 * d - 1);
      return {3.0 * d - 3, moved, moved};
    }
    case TorusAlgorithm::suh_2001:
      return {diagonal + 2, power(3 * d - 2) + power(2 * d), 3 * power(2 * d)};
    case TorusAlgorithm::at2:
      break;
  }
  return published_torus_cost(1 << d, 1 << d);
}

}  // namespace shunt
