// A ring exchange along one dimension of a torus.
#pragma once

#include <memory>
#include <vector>

#include "algorithms/alltoall/torus_exchange.hpp"

namespace shunt {

/// Every `stride`-th rank along `dimension` is a place of a ring; so there are `stride` rings, each
/// with places 0, 1, ...
class RingAlong {
 public:
  using Maker = std::unique_ptr<RingRule> (*)(Rank size);

  RingAlong(const Extents& torus, int dimension, Rank stride, Maker make)
      : torus_(torus),
        dimension_(dimension),
        stride_(stride),
        size_(torus.extent(dimension) / stride),
        rule_(make(size_)) {}

  [[nodiscard]] Rank size() const { return size_; }
  [[nodiscard]] int stages() const { return rule_->stages(); }
  [[nodiscard]] Rank period() const { return stride_ * rule_->period(); }

  /// Returns what `rank` sends; nothing from stage stages() on. Each place of the ring has data
  /// from `place.sources` ranks for `place.destinations` ranks.
  [[nodiscard]] std::vector<TorusMove> moves(int stage, Rank rank, const RankBox& place) const;

  void share_out(int stage, Rank at, Rank destination, Takers& takers) const;

  /// What a rank keeps.
  [[nodiscard]] std::vector<RankBox> kept(int stage, const RankBox& place) const;

 private:
  [[nodiscard]] Rank place_of(Rank rank) const {
    return torus_.coordinate(rank, dimension_) / stride_;
  }

  Extents torus_;
  int dimension_;
  Rank stride_;
  Rank size_;
  std::unique_ptr<RingRule> rule_;
};

}  // namespace shunt
