// The family of broadcasts: one maker per algorithm, each in a file of its name.
#pragma once

#include <memory>

#include "algorithms/broadcast.hpp"
#include "model/machine.hpp"

namespace shunt {

/// Br_Lin (Hambrusch 1998, Section 2): recursive halving of the line of all ranks.
[[nodiscard]] std::unique_ptr<Broadcast> make_br_lin(Sources sources);

}  // namespace shunt
