#include "lab/traffic/traffic_file.hpp"

#include <algorithm>

#include "lab/traffic/matrix_market.hpp"
#include "lab/traffic/patterns.hpp"
#include "lab/traffic/trace_file.hpp"

namespace shunt {

bool is_traffic_file(std::string_view specification) {
  return is_matrix_specification(specification) || is_trace_specification(specification);
}

std::vector<Bytes> sizes_for(std::string_view specification, const std::vector<Bytes>& sizes) {
  if (sizes.empty() || !is_traffic_file(specification)) return sizes;
  return {sizes.front()};
}

Bytes maximum_of(const Traffic& traffic, const TrafficShape& shape) {
  if (!is_traffic_file(traffic.name())) return shape.maximum;
  Bytes longest = 0;
  for (Rank source = 0; source < traffic.ranks(); ++source) {
    for (const SparseCount& block : traffic.sparse_row(source)) {
      longest = std::max(longest, block.count);
    }
  }
  return longest;
}

}  // namespace shunt
