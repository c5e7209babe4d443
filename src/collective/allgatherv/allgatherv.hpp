// All-gather: a block from every rank, or from some, to all ranks.
#pragma once

#include "collective/collective.hpp"

namespace shunt {

[[nodiscard]] const Collective& allgatherv();

}  // namespace shunt
