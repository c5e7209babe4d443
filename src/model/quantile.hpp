// The median, and other shares, of a few times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace shunt {

/// What this share of the values is less than, as near as one of them comes to it. There is a
/// value.
[[nodiscard]] inline double quantile_of(std::vector<double> values, double share) {
  const auto place =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size()));
  std::ranges::nth_element(values, place);
  return *place;
}

/// Of an even number of values the greater one in the middle.
[[nodiscard]] inline double median_of(std::vector<double> values) {
  return quantile_of(std::move(values), 0.5);
}

}  // namespace shunt
