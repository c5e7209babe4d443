// Simulates the cells of `shunt bench grid`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/bench/grid_cells.hpp"
#include "tools/bench/grid_settings.hpp"
#include "tools/simulate/simulation.hpp"

namespace shunt {

/// Simulates one machine and its ranks: every way once, for it takes the same each time. What
/// `built_in` says of SMPI ("alltoallv:ring") stands for MPI's own; where it is empty, the choice
/// of MPICH and a ring. `keep` is called with the job so far after each pattern and load, since
/// those of many ranks take hours. Tells on standard error how far it is. Throws Error where SMPI
/// is not installed, or an algorithm or a pattern cannot be had there.
void simulate_grid(const GridSettings& settings, const std::vector<std::string>& built_in,
                   const OccupiedMachine& occupied,
                   const std::function<void(const GridJob&)>& keep);

}  // namespace shunt
