// What no exchange can beat on a machine: the bytes that its links have to carry.
#pragma once

#include "lab/simulation/machine_file.hpp"
#include "lab/traffic/traffic.hpp"
#include "model/machine.hpp"

namespace shunt {

/// Returns the seconds that the links of `machine`, on whose nodes the ranks are as `layout` says,
/// need at least for the traffic, in elements of `element` bytes, whatever the algorithm: the
/// largest of what leaves or enters a node, passes through its memory, leaves or enters a branch of
/// a fat tree or a group of a dragonfly, has to travel along a dimension of a torus, or has to
/// cross a mesh between two neighbouring coordinates, each over what those links carry together.
/// Blocks to oneself count nothing, nor do start-ups and copies. Costs O(ranks^2) time.
[[nodiscard]] double least_seconds(const SimulatedMachine& machine, const Machine& layout,
                                   const Traffic& traffic, Bytes element);

}  // namespace shunt
