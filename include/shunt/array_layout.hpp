// How an array is dealt out over the ranks of a communicator.
#pragma once

#include <cstddef>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// A dimension of an array: indices 0 to extent - 1 in blocks of `block`, the last one maybe
/// shorter, which go in turn to `places` places, the first to place `first`. BLOCK of High
/// Performance Fortran has blocks of ceil(extent / places), * one place; ScaLAPACK's dimensions
/// are of this kind as they are. `extent` is at least 0, all others at least 1, and `first` below
/// `places`.
struct BlockCyclic {
  Index extent;
  Index block;
  Rank places = 1;
  Rank first = 0;

  [[nodiscard]] Rank place_of(Index index) const {
    return static_cast<Rank>((index / block % places + first) % places);
  }
  /// Where the place that has `index` keeps it, if it keeps all of its indices without gaps.
  [[nodiscard]] Index local_index(Index index) const {
    return index / block / places * block + index % block;
  }
  /// The index that `place` keeps at `local`: the inverse of the two above.
  [[nodiscard]] Index index_at(Rank place, Index local) const {
    return (local / block * places + turn_of(place)) * block + local % block;
  }
  /// How many indices a place has (ScaLAPACK's NUMROC).
  [[nodiscard]] Index count(Rank place) const {
    const Index blocks = extent / block;
    const Index turn = turn_of(place);
    const Index whole = blocks / places * block;
    const Index rest = blocks % places;
    if (turn < rest) return whole + block;
    return turn == rest ? whole + extent % block : whole;
  }
  /// The number of the first block of a place.
  [[nodiscard]] Index turn_of(Rank place) const {
    return place < first ? Index{place} - first + places : Index{place} - first;
  }
};

/// Which index of a rank's part lies next to which in its memory: those of the last dimension, as
/// in C, or those of the first, as in Fortran.
enum class Order { row_major, column_major };

/// An array in block-cyclic dimensions over a grid of ranks: a place of the grid has a coordinate
/// in each dimension, and of each dimension the indices that this coordinate has. All ranks
/// describe a layout alike.
struct ArrayLayout {
  std::vector<BlockCyclic> dimensions;

  /// The rank at each place of the grid, places in row-major order of their coordinates; no rank
  /// twice. Empty: rank k is at place k. Ranks without a place have nothing of the array.
  std::vector<Rank> ranks = {};

  Order order = Order::row_major;
};

/// An array in blocks of any lengths, each on any rank: dimension d is cut where `splits[d]` says,
/// from 0 to its extent, ascending; blocks may be empty. All ranks describe a layout alike.
struct SplitLayout {
  std::vector<std::vector<Index>> splits;
  /// The rank of each block, blocks in row-major order of their places along the dimensions.
  std::vector<Rank> owners;

  Order order = Order::row_major;  ///< within a block
};

/// What of an array goes to what of another one.
struct ArraySection {
  /// By dimension of the array that it comes from. Empty: all of that array.
  std::vector<Index> extents = {};
  /// Where it begins, by dimension of either array. Empty: at 0.
  std::vector<Index> from_begin = {};
  std::vector<Index> to_begin = {};
  /// Dimension d of the one array becomes dimension to_axes[d] of the other one: {1, 0} transposes
  /// a matrix. Empty: they stay the same.
  std::vector<std::size_t> to_axes = {};
};

}  // namespace shunt
