// The rows of an incomplete array as they are before their revision.
#pragma once

#include <vector>

#include "schedule/node_array.hpp"
#include "schedule/step.hpp"

namespace shunt {

/// The R-Schedule without stalls, in which additional messages collide with the row's own (Liu
/// 2002, Fig. 9): what each node would send, step by step.
[[nodiscard]] std::vector<Step> unrevised_row_sends(const NodeArray& array, Rank node);

}  // namespace shunt
