// A block from the root to every rank.
#pragma once

#include "collective/collective.hpp"

namespace shunt {

[[nodiscard]] const Collective& scatterv();

}  // namespace shunt
