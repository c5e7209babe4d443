// Which rank sends to which at which step, as a picture.
#pragma once

#include <string>

#include "algorithms/algorithm.hpp"
#include "algorithms/allgather.hpp"
#include "model/machine.hpp"

namespace shunt {

/// Returns a schedule as SVG, with one row per rank, one column per step, and stages side by side:
/// the cell of a message has its receiver's number and a colour for the distance to it (links on a
/// torus; elsewhere ranks, the shorter way round). With a `machine` rows are grouped by node, and
/// the colour is that of the receiver's node. Throws Error(argument) for more than 256 ranks or
/// 1024 steps.
[[nodiscard]] std::string draw_schedule(const Algorithm& algorithm, const Machine* machine);

/// Returns the schedule of an all-gather as SVG, drawn as that of an exchange is; its sources are
/// marked. With a `torus` distances are links of it.
[[nodiscard]] std::string draw_schedule(const Allgather& allgather, const Machine* machine,
                                        const Extents* torus);

}  // namespace shunt
