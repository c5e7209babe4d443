// Redistributions of any kind, for proofs and tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/place_grid.hpp"
#include "schedule/redistribution_axis.hpp"

namespace shunt {

struct RandomRedistribution {
  std::vector<RedistributionAxis> axes;
  PlaceOrder from;
  PlaceOrder to;

  /// In words, to be found again.
  [[nodiscard]] std::string name() const;
};

/// Returns a redistribution that depends on the seed alone, on every rank and machine: 1 to 3
/// dimensions, parts that begin anywhere, first blocks at any place; extents up to two periods, or
/// a few blocks. A single dimension has up to 24 places a side, two have up to 6 each, three up to
/// 4.
[[nodiscard]] RandomRedistribution random_redistribution(std::uint64_t seed);

}  // namespace shunt
