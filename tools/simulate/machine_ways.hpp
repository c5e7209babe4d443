// Which ways to make an exchange `shunt simulate` sets beside each other on a machine.
#pragma once

#include <string>
#include <vector>

#include "algorithms/surroundings.hpp"
#include "model/traffic.hpp"
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

/// Good ones of SMPI for such a traffic, and what it knows of other MPI libraries' choices.
[[nodiscard]] std::vector<std::string> built_in_for(const Traffic& traffic, bool folded);

/// The same three for broadcasts. Names of arrays are given in full. Where `all_send`, all ranks
/// are sources.
[[nodiscard]] std::vector<std::string> broadcasts_for(const OccupiedMachine& occupied,
                                                      std::vector<std::string> names,
                                                      const Surroundings& surroundings);
void check_built_in_broadcast(const std::string& name, bool all_send);
[[nodiscard]] std::vector<std::string> built_in_broadcasts(Rank ranks);

}  // namespace shunt
