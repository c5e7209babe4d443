// The median of a few times.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace shunt {

/// Returns the median of `values`: of an even number the mean of the two in the middle, of none 0.
[[nodiscard]] inline double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace shunt
