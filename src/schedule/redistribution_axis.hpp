// One dimension of a redistribution.
#pragma once

#include "model/block_cyclic.hpp"

namespace shunt {

/// `extent` indices that lie from `from_begin` on in a dimension that is dealt out as `from`, and
/// go to as many from `to_begin` on in one that is dealt out as `to`. A part that is not as long as
/// what they are parts of is as any other; the extents of `from` and `to` do not matter.
struct RedistributionAxis {
  BlockCyclic from;
  BlockCyclic to;
  Index extent;
  Index from_begin = 0;
  Index to_begin = 0;

  /// What a sender and a receiver have in common.
  [[nodiscard]] LddOverlap overlap(Rank sender, Rank receiver) const {
    return {ldd_of(from, sender, from_begin), ldd_of(to, receiver, to_begin), extent};
  }
};

}  // namespace shunt
