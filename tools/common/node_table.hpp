// Which ranks exchange messages at which step, in the form of Sanders and Traff 2002, Fig. 3.
#pragma once

#include <string>

#include "algorithms/algorithm.hpp"
#include "model/machine.hpp"

namespace shunt {

/// One line per rank, grouped by node, one column per step: the rank's partner in an exchange both
/// ways, ">3" where it only sends, "<3" where it only receives, "3<5" where it does both with
/// different ranks, "=" for a message to itself. At most 80 columns wide: further steps follow
/// below.
[[nodiscard]] std::string node_table(const Algorithm& algorithm, int stage, const Machine& machine);

}  // namespace shunt
