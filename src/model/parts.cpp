#include "model/parts.hpp"

namespace shunt {

TrafficBound bound_of_part(const TrafficBound& traffic, Rank ranks, const Parts& parts) {
  if (parts.count == 1) return traffic;
  TrafficBound part;
  // The first part of a block is its longest one.
  part.longest_block = parts.bytes(traffic.longest_block, 0);
  // A rank has at most as many blocks as there are ranks, and each is rounded by less than a unit.
  const Bytes rounding = parts.unit * ranks;
  const Bytes share = traffic.largest_load / parts.count;
  part.largest_load =
      share > traffic.largest_load - rounding ? traffic.largest_load : share + rounding;
  if (part.longest_block <= part.largest_load / ranks) {
    part.largest_load = part.longest_block * ranks;
  }
  return part;
}

Bytes most_parts(const TrafficBound& traffic, Bytes grain) {
  return std::max(Bytes{1}, traffic.longest_block / std::max(grain, Bytes{1}));
}

Bytes least_parts(Bytes most, const std::function<bool(Bytes)>& fits) {
  if (fits(1)) return 1;
  if (!fits(most)) return 0;
  Bytes too_few = 1;
  Bytes enough = most;
  while (enough - too_few > 1) {
    const Bytes middle = too_few + (enough - too_few) / 2;
    (fits(middle) ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace shunt
