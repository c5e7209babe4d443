// Places on a grid, and their numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// Which coordinate varies fastest from one place to the next: the last one, or the first.
enum class PlaceOrder { row_major, column_major };

class PlaceGrid {
 public:
  /// `extents` are at least 1. Throws Error(count) where there are more places than 32 bits count.
  PlaceGrid(const std::vector<Rank>& extents, PlaceOrder order);

  [[nodiscard]] Rank places() const { return places_; }
  [[nodiscard]] std::size_t dimensions() const { return strides_.size(); }

  [[nodiscard]] Rank coordinate(Rank place, std::size_t dimension) const {
    return place / strides_[dimension] % extents_[dimension];
  }
  /// The distance from one place to the next along a dimension: a place is the sum of its
  /// coordinates times these.
  [[nodiscard]] Rank stride(std::size_t dimension) const { return strides_[dimension]; }

 private:
  std::vector<Rank> extents_;
  std::vector<Rank> strides_;
  Rank places_ = 1;
};

}  // namespace shunt
