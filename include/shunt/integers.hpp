// Converts integers of any type, as callers have them, to those of Shunt.
#pragma once

#include <string>
#include <type_traits>

#include "shunt/error.hpp"

namespace shunt {

/// Returns `value`, an integer or an enumerator, as a `To`. Throws Error(kind), whose sentence
/// names `what`, where a `To` cannot hold the value.
template <class To, class From>
[[nodiscard]] constexpr To checked_integer(From value, ErrorKind kind, const char* what) {
  if constexpr (std::is_enum_v<From>) {
    return checked_integer<To>(static_cast<std::underlying_type_t<From>>(value), kind, what);
  } else {
    const auto result = static_cast<To>(value);
    // An unsigned number that is too large for a `To` as wide as it becomes a negative one.
    if (static_cast<From>(result) == value && (std::is_signed_v<From> || result >= To{0})) {
      return result;
    }
    throw Error(kind, std::string(what) + " is " + std::to_string(value) + ", which " +
                          std::to_string(8 * sizeof(To)) + " bits do not hold");
  }
}

}  // namespace shunt
