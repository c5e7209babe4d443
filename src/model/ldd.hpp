// Local data descriptors: which indices of a dimension of an array a place of the grid has. Guo,
// Nakata, Yamashita 2000, Section 3.
#pragma once

#include <vector>

#include "shunt/array_layout.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// The indices in [offset + u * stride, offset + u * stride + block) for all whole numbers u, as
/// far as the dimension goes. (The paper counts the u from 0 to n - 1, and so cannot say that the
/// last block is a shorter one.) `block` is at least 1, and `stride` no less; neither these nor the
/// size of an offset or an extent are more than 2^61.
struct Ldd {
  Index offset;
  Index block;
  Index stride;

  friend bool operator==(const Ldd&, const Ldd&) = default;
};

/// From one block of a place to its next: places * block. Throws Error(count) where that is more
/// than 2^61, so that sums of indices and blocks fit into 64 bits.
[[nodiscard]] Index block_stride(Rank places, Index block);

/// The indices of a place, as distances from `begin`: those of the part that begins there, if one
/// asks for none below 0. Throws Error(count) as `block_stride` does.
[[nodiscard]] Ldd ldd_of(const BlockCyclic& dimension, Rank place, Index begin = 0);

/// What two descriptors have in common of the indices [0, extent), in closed form: stretches that
/// repeat with the least common multiple of the strides. Costs O(b1 + b2) over the greatest common
/// divisor of the strides, or O(blocks of both in the dimension) where that is less, and no more
/// memory. So a short dimension costs little, however long the blocks are.
class LddOverlap {
 public:
  LddOverlap(const Ldd& first, const Ldd& second, Index extent);

  /// `begin` may be negative, or the end above the extent.
  struct Stretch {
    Index begin;
    Index length;
  };

  [[nodiscard]] bool empty() const { return stretches_.empty(); }
  /// The first of its kind of which something lies in [0, extent), for each stretch of a period,
  /// ascending.
  [[nodiscard]] const std::vector<Stretch>& stretches() const { return stretches_; }
  /// More than any index where it does not fit into 64 bits, or all stretches are listed.
  [[nodiscard]] Index period() const { return period_; }

  /// How many indices. Costs O(stretches in a period).
  [[nodiscard]] Index count() const;

 private:
  void merge(const Ldd& a, const Ldd& b);
  void solve(const Ldd& a, const Ldd& b, Index common);
  void add(Index begin, Index length);

  Index extent_;
  Index period_;
  std::vector<Stretch> stretches_;
};

}  // namespace shunt
