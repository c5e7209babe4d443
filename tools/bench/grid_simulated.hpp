// Simulates the cells of `shunt bench grid`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/bench/grid_cells.hpp"
#include "tools/bench/grid_settings.hpp"
#include "tools/simulate/simulation.hpp"

namespace shunt {

/// Simulates one machine and its ranks: every configuration once, since its time never varies.
/// MPI's own is what `built_in` names of SMPI ("alltoallv:ring"); where it is empty, the choice of
/// MPICH and a ring. Calls `keep` with the job so far after each pattern and load, since those of
/// many ranks take hours. Reports its progress on standard error. Throws Error where SMPI is not
/// installed, or an algorithm or a pattern cannot be had there.
void simulate_grid(const GridSettings& settings, const std::vector<std::string>& built_in,
                   const OccupiedMachine& occupied,
                   const std::function<void(const GridJob&)>& keep);

}  // namespace shunt
