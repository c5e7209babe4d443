// Whether a word is a number, however large or exact it is.
#pragma once

#include <string_view>

namespace shunt {

/// Digits, with a sign before them or without.
[[nodiscard]] bool is_whole_number(std::string_view text);

/// As C or Fortran writes it: "+1", ".5", "-1.", "1e-400", "1.5D+03", "1.5+103", "inf", "NaN".
[[nodiscard]] bool is_real_number(std::string_view text);

}  // namespace shunt
