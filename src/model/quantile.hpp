// The median, and other shares, of a few times.
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

/// Returns the median of `values`: of an even number the mean of the two in the middle, of none 0.
[[nodiscard]] inline double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace shunt
