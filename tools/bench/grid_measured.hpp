// Measures the cells of `shunt bench grid` on the ranks that there are.
#pragma once

#include "tools/bench/grid_cells.hpp"
#include "tools/bench/grid_settings.hpp"
#include "tools/session/bench_common.hpp"

namespace shunt {

/// Measures all cells. Collective over the ranks of MPI_COMM_WORLD. Rank 0, which reports its
/// progress on standard error, gets all results, other ranks all but the description of the
/// machine. Where the machine cannot be described, throws Error on rank 0 and FoundWrong on the
/// others.
[[nodiscard]] GridJob measure_grid(const GridSettings& settings, const MpiSession& mpi);

}  // namespace shunt
