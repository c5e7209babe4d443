// Whether a word is a number, however large or exact it is.
#pragma once

#include <string_view>

namespace shunt {

/// Digits and nothing else, but for a sign before them.
[[nodiscard]] bool is_whole_number(std::string_view text);

/// A number without the "+" before it, which `parse_number` does not take.
[[nodiscard]] constexpr std::string_view without_plus(std::string_view number) {
  return number.starts_with('+') ? number.substr(1) : number;
}

/// A number as C or Fortran writes it: "+1", ".5", "-1.", "1e-400", "1.5D+03", "1.5+103", "inf",
/// "NaN".
[[nodiscard]] bool is_real_number(std::string_view text);

}  // namespace shunt
