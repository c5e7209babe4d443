// Algorithms under the one name that everything prints, compares and remembers.
#pragma once

#include <string>
#include <string_view>

namespace shunt {

/// Whether `text`, a name with its parameter and options, begins with an alias of an algorithm or
/// of an all-gather. No alias is the name of another one.
[[nodiscard]] bool has_alias(std::string_view text);

/// Returns `text` with the algorithm's own name in the place of its alias: "stages:3", and
/// "linear shared=once" for "a1 shared=once". What comes in from outside is read through this.
[[nodiscard]] std::string canonical_name(std::string_view text);

}  // namespace shunt
