// Chooses an algorithm.
#pragma once

#include <string>

#include "model/loads.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// What a message costs between two ranks of one machine of today through shared memory; used until
/// a machine has been measured.
inline constexpr LinkCost kTypicalLink{1e-6, 2e-10, 1e-10};

/// The algorithm whose own model expects the least time for a traffic within `traffic`.
[[nodiscard]] std::string choose_algorithm(Rank ranks, const TrafficBound& traffic,
                                           const LinkCost& cost);

}  // namespace shunt
