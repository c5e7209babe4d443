// Proves an algorithm: its schedules, and that its routes bring every block to its destination
// once.
#pragma once

#include <string>
#include <vector>

#include "algorithms/algorithm.hpp"

namespace shunt {

/// What a proof covered and what it found.
struct Proof {
  int schedules = 0;                    ///< stages checked
  std::vector<std::string> violations;  ///< sentences that begin with the algorithm's name
};

/// Checks the schedule of every stage over all ranks (`check_schedule`), the ports of the nodes
/// where the algorithm promises to spare them (`check_node_ports`), and the links of a torus where
/// it promises that (`check_links`); that the receives of each rank and stage are no more than its
/// stated bound; and the routes: the pieces of a stream are consecutive and whole, each goes to a
/// rank that the schedule sends to in that stage, on a torus whose links are spared by a shortest
/// path, and after the last stage all data for a destination is there. Routes are followed for at
/// most `destinations` destinations, spread over the ranks; schedules are always checked whole.
[[nodiscard]] Proof prove(const Algorithm& algorithm, Rank destinations);

}  // namespace shunt
