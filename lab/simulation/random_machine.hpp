// Machines to try algorithms on: nodes of any sizes, ranks in any order.
#pragma once

#include <cstdint>

#include "model/machine.hpp"

namespace shunt {

/// A machine of 1 to `most_nodes` nodes of 1 to `largest` ranks, the ranks spread over the nodes in
/// any order, in their own order in every third machine. The same on all computers.
[[nodiscard]] Machine random_machine(std::uint64_t seed, Rank most_nodes, Rank largest);

}  // namespace shunt
