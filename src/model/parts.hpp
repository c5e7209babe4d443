// An exchange in parts, one after the other, each with a part of every block.
#pragma once

#include <algorithm>
#include <functional>

#include "model/loads.hpp"

namespace shunt {

/// Every block is cut into `count` consecutive parts that differ by at most one `unit`, the longer
/// ones first; only a block's end may be less than a unit.
struct Parts {
  Bytes count = 1;
  Bytes unit = 1;

  /// Where part `part` of a block of `block` bytes begins; the block's end for part `count`.
  [[nodiscard]] constexpr Bytes begin(Bytes block, Bytes part) const {
    const Bytes units = block / unit + (block % unit > 0 ? 1 : 0);
    const Bytes before = units / count * part + std::min(part, units % count);
    return before == units ? block : before * unit;
  }

  [[nodiscard]] constexpr Bytes bytes(Bytes block, Bytes part) const {
    return begin(block, part + 1) - begin(block, part);
  }
};

/// What bounds the traffic of each part, if `traffic` bounds that of the whole among `ranks` ranks.
[[nodiscard]] TrafficBound bound_of_part(const TrafficBound& traffic, Rank ranks,
                                         const Parts& parts);

/// The most parts into which a block is worth cutting: those of the longest one have a `grain`.
[[nodiscard]] Bytes most_parts(const TrafficBound& traffic, Bytes grain);

/// The least number of parts of which `fits` says so, from 1 to `most`; 0 where not even `most` do.
/// What fits in some number of parts fits in more.
[[nodiscard]] Bytes least_parts(Bytes most, const std::function<bool(Bytes)>& fits);

}  // namespace shunt
