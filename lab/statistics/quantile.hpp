// Shares of a few times, other than the median.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace shunt {

/// Returns the value than which this share of the values is less, as nearly as one of them is.
/// `values` is not empty.
[[nodiscard]] inline double quantile_of(std::vector<double> values, double share) {
  const auto place =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size()));
  std::ranges::nth_element(values, place);
  return *place;
}

}  // namespace shunt
