// Checked narrowing of integers.
#pragma once

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

/// Returns `value` as a `To`. Throws Error(count) naming `what` where it does not fit.
template <class To, class From>
[[nodiscard]] To narrow(From value, const char* what) {
  if (!std::in_range<To>(value)) {
    throw Error(ErrorKind::count, fmt::format("{} is {}, which does not fit into {} bits", what,
                                              value, sizeof(To) * 8));
  }
  return static_cast<To>(value);
}

/// Returns each of `values` as a `To`. Throws Error(count) naming `what` where one does not fit.
template <class To, class From>
[[nodiscard]] std::vector<To> narrow(const std::vector<From>& values, const char* what) {
  std::vector<To> narrowed;
  narrowed.reserve(values.size());
  for (const From value : values) narrowed.push_back(narrow<To>(value, what));
  return narrowed;
}

}  // namespace shunt
