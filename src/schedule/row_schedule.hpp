// Which nodes exchange messages, step by step, in a row exchange: every node sends one message to
// its contact in each column.
#pragma once

#include <vector>

#include "schedule/node_array.hpp"
#include "schedule/step.hpp"

namespace shunt {

/// The steps of `node` in the exchange along the rows of `array`, in numbers of nodes of the array.
///
/// With one row this is the cyclic shift, the C-Schedule of Liu 2002 (Fig. 6). With complete rows
/// it is the R-Schedule. With an incomplete row it is the Revised R-Schedule (Section 3.2.2 (B)) in
/// a form that costs O(1) a step: row m < r, in which node (R-1, m) has additional messages for the
/// incomplete columns, inserts its stalls one step earlier than printed, since the printed rule
/// collides. Where the array does not fit that schedule, the additional messages follow in steps of
/// their own.
[[nodiscard]] std::vector<Step> row_steps(const NodeArray& array, Rank node);

/// The number of steps that `row_steps` takes over all nodes.
[[nodiscard]] int row_step_count(const NodeArray& array);

}  // namespace shunt
