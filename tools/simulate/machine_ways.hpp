// The configurations of an exchange that `shunt simulate` compares on a machine.
#pragma once

#include <string>
#include <vector>

#include "algorithms/surroundings.hpp"
#include "lab/traffic/traffic.hpp"
#include "tools/simulate/simulation.hpp"

namespace shunt {

/// The algorithms that are made for this machine if it is a torus of several dimensions, else none.
[[nodiscard]] std::vector<std::string> torus_algorithms(const OccupiedMachine& occupied);

/// The algorithms `names`, or if there are none all that suit the machine: those of the bench, and
/// on a torus those that are made for it. Throws Error(argument) where one of `names` is neither an
/// algorithm for these ranks nor "auto".
[[nodiscard]] std::vector<std::string> algorithms_for(const OccupiedMachine& occupied,
                                                      std::vector<std::string> names, Bytes grain);

/// Throws Error(argument) where SMPI cannot make the exchange as `name` ("alltoallv:ring") says.
void check_built_in(const std::string& name, const Traffic& traffic);

/// Returns good algorithms of SMPI for such a traffic, and those by which it models other MPI
/// libraries' choices.
[[nodiscard]] std::vector<std::string> built_in_for(const Traffic& traffic, bool folded);

/// Returns the all-gathers `names`, or if there are none all that suit the machine, with names of
/// arrays in full. Throws as `algorithms_for` does.
[[nodiscard]] std::vector<std::string> allgathers_for(const OccupiedMachine& occupied,
                                                      std::vector<std::string> names,
                                                      const Surroundings& surroundings);
/// Throws Error(argument) where SMPI cannot make the all-gather as `name` says. `all_send`: all
/// ranks are sources.
void check_built_in_allgather(const std::string& name, bool all_send);
/// Returns good all-gathers of SMPI, and those by which it models other MPI libraries' choices.
[[nodiscard]] std::vector<std::string> built_in_allgathers(Rank ranks);

}  // namespace shunt
