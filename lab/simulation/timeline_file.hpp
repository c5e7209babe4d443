// Timelines as files (docs/formats.md).
#pragma once

#include <string>

#include "lab/simulation/timeline.hpp"

namespace shunt {

/// The content of the file of a timeline.
[[nodiscard]] std::string timeline_text(const Timeline& timeline);

/// Reads a timeline. Throws Error(file) naming the path, the line and the rule that it breaks.
[[nodiscard]] Timeline read_timeline(const std::string& path);

}  // namespace shunt
