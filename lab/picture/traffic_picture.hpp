// What becomes of a traffic from stage to stage, as heat maps.
#pragma once

#include <string>

#include "algorithms/algorithm.hpp"
#include "lab/picture/scale.hpp"
#include "lab/traffic/traffic.hpp"

namespace shunt {

/// Returns heat maps of a traffic as SVG, stage by stage and all in the same shades: above, the
/// bytes that each rank holds for each destination, before and after each stage; below, the
/// messages of the stage between them. `traffic` is in elements of `element` bytes. Throws
/// Error(argument) for more than 256 ranks or 64 stages.
[[nodiscard]] std::string draw_traffic(const Algorithm& algorithm, const Traffic& traffic,
                                       Bytes element, Spacing spacing);

}  // namespace shunt
