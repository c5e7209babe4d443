// Measures the cells of `shunt bench grid` on the ranks that there are.
#pragma once

#include "tools/bench/grid_cells.hpp"
#include "tools/bench/grid_settings.hpp"
#include "tools/session/bench_common.hpp"

namespace shunt {

/// Collective over the ranks of MPI_COMM_WORLD. Rank 0, which tells on standard error how far it
/// is, gets all of it, other ranks all but what it was measured on. Where that cannot be found out,
/// throws Error on rank 0 and FoundWrong on the others.
[[nodiscard]] GridJob measure_grid(const GridSettings& settings, const MpiSession& mpi);

}  // namespace shunt
