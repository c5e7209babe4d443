// Chooses algorithms by their own predictions.
#pragma once

#include <string>
#include <vector>

#include "model/loads.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// What a message costs between two ranks of one machine of today through shared memory; used until
/// a machine has been measured.
inline constexpr LinkCost kTypicalLink{1e-6, 2e-10, 1e-10};

/// The algorithms whose own models expect no more than twice the least time for a traffic within
/// `traffic`, the best first, at most four. A1 is always one of them: it needs no buffers.
[[nodiscard]] std::vector<std::string> likely_algorithms(Rank ranks, const TrafficBound& traffic,
                                                         const LinkCost& cost);

}  // namespace shunt
