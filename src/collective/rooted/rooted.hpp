// Collectives with a root, as all-to-alls of which one rank has all blocks.
#pragma once

#include "collective/collective.hpp"

namespace shunt {

/// A block from every rank to the root.
[[nodiscard]] const Collective& gatherv();

/// A block from the root to every rank.
[[nodiscard]] const Collective& scatterv();

}  // namespace shunt
