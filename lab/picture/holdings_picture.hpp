// What each rank holds while an all-gather goes on, as heat maps.
#pragma once

#include <string>

#include "algorithms/allgather.hpp"
#include "lab/picture/scale.hpp"

namespace shunt {

/// Returns heat maps of an all-gather as SVG, stage by stage: above, how much of each source's
/// block each rank holds before and after each stage, in percent; below, the bytes of the stage's
/// messages, in shades with `spacing`. Throws Error(argument) for more than 256 ranks or 64 stages.
[[nodiscard]] std::string draw_holdings(const Allgather& allgather, Spacing spacing);

}  // namespace shunt
