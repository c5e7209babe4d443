// How long the messages of an array exchange can get (Liu 2002, Lemmas 2 and 3, Table 2), for any
// number of levels and with the terms that rounding to a grain adds.
#pragma once

#include "model/loads.hpp"
#include "schedule/hierarchy.hpp"

namespace shunt {

/// How the data of a block may be cut: in multiples of a grain, or, as the papers assume for their
/// bounds, exactly in proportion.
struct Rounding {
  Bytes grain;  ///< 0: exact proportions
};

class ArrayBounds {
 public:
  /// `spread`: whether the data is spread evenly over all ranks before it is collected.
  /// `destinations`: for how many ranks a rank may have data.
  ArrayBounds(Hierarchy hierarchy, bool spread, Rounding rounding, const TrafficBound& traffic,
              Rank destinations)
      : hierarchy_(std::move(hierarchy)),
        spread_(spread),
        rounding_(rounding),
        traffic_(traffic),
        destinations_(destinations) {}

  /// The longest message that `rank` receives when `level` distributes.
  [[nodiscard]] Bytes distributed(int level, Rank rank) const;

  /// The most that one rank holds for one destination before the first collection.
  [[nodiscard]] double largest_share() const;

  /// The longest message that `rank` receives when `level` collects.
  [[nodiscard]] Bytes collected(int level, Rank rank) const;

  /// The most that `rank` can hold after `level` has collected: everything for the destinations
  /// that are still open to it.
  [[nodiscard]] Bytes held(int level, Rank rank) const;

 private:
  /// What of `total` bytes for one destination, spread from `level` on over a group of `nodes`, one
  /// rank holds at most.
  [[nodiscard]] double spread_share(double total, Rank nodes, int level) const;

  Hierarchy hierarchy_;
  bool spread_;
  Rounding rounding_;
  TrafficBound traffic_;
  Rank destinations_;
};

}  // namespace shunt
