// A timeline as a Gantt chart.
#pragma once

#include <string>
#include <string_view>

#include "lab/simulation/timeline.hpp"

namespace shunt {

/// One row per rank, as SVG, with a bar for each message that it sends, from the begin of the
/// message to its end, in a colour for the stage; messages that a rank has under way at once share
/// the height of its row. Where there is room a bar has its receiver's number. `name` says what is
/// shown. Throws Error(argument) for more than 256 ranks.
[[nodiscard]] std::string draw_gantt(const Timeline& timeline, std::string_view name);

}  // namespace shunt
