// Checked narrowing of integers.
#pragma once

#include <utility>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

/// `value` as a `To`; throws Error(count) naming `what` where it does not fit.
template <class To, class From>
[[nodiscard]] To narrow(From value, const char* what) {
  if (!std::in_range<To>(value)) {
    throw Error(ErrorKind::count, fmt::format("{} is {}, which does not fit into {} bits", what,
                                              value, sizeof(To) * 8));
  }
  return static_cast<To>(value);
}

}  // namespace shunt
