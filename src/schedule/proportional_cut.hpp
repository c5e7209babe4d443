// Cutting a stream in proportion to the sizes of its takers, in multiples of a grain.
#pragma once

#include <algorithm>

#include "shunt/types.hpp"

namespace shunt {

/// A stream of `length` bytes for takers of together `weight` shares. `phase` in [0, weight) turns
/// the roundings of different streams against each other, so that they do not add up at one taker.
/// No cut falls inside a stream of at most one grain.
class ProportionalCut {
 public:
  ProportionalCut(Bytes length, Bytes weight, Bytes phase, Bytes grain)
      : length_(length), weight_(weight), phase_(phase), grain_(grain) {
    const Bytes grains = length / grain + (length % grain != 0 ? 1 : 0);
    whole_ = grains / weight;
    rest_ = grains % weight;
  }

  /// Where the takers with together `shares` shares end: min(length, g*((u*shares + phase)/weight))
  /// for u = ceil(length/g), computed without the product u*shares, which may overflow.
  [[nodiscard]] Bytes end_of(Bytes shares) const {
    const Bytes grains = whole_ * shares + (rest_ * shares + phase_) / weight_;
    return grains > length_ / grain_ ? length_ : std::min(length_, grains * grain_);
  }

 private:
  Bytes length_;
  Bytes weight_;
  Bytes phase_;
  Bytes grain_;
  Bytes whole_;
  Bytes rest_;
};

}  // namespace shunt
