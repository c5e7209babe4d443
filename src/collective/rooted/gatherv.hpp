// A block from every rank to the root.
#pragma once

#include "collective/collective.hpp"

namespace shunt {

[[nodiscard]] const Collective& gatherv();

}  // namespace shunt
