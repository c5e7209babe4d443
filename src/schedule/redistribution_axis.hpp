// One dimension of a redistribution.
#pragma once

#include "model/ldd.hpp"

namespace shunt {

/// One dimension of a redistribution: `extent` indices, from `from_begin` on in a dimension that is
/// distributed as `from`, go to as many indices from `to_begin` on in a dimension that is
/// distributed as `to`. The extents of `from` and `to` are ignored.
struct RedistributionAxis {
  BlockCyclic from;
  BlockCyclic to;
  Index extent;
  Index from_begin = 0;
  Index to_begin = 0;

  /// Returns the indices that a sender and a receiver have in common.
  [[nodiscard]] LddOverlap overlap(Rank sender, Rank receiver) const {
    return {ldd_of(from, sender, from_begin), ldd_of(to, receiver, to_begin), extent};
  }
};

}  // namespace shunt
