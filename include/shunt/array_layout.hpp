// How an array is distributed over the ranks of a communicator.
#pragma once

#include <cstddef>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// One dimension of an array, distributed block-cyclically over one dimension of a grid of ranks.
/// The indices 0 to extent - 1 are cut into blocks of `block`, the last one maybe shorter; the
/// blocks go round the grid's coordinates 0 to places - 1, beginning with `first`. ScaLAPACK's
/// dimensions have this form. High Performance Fortran's BLOCK is block = ceil(extent / places),
/// its * is places = 1.
///
/// The functions are local, take O(1) and expect the fields to keep their rules. Calls that are
/// given a layout check it: they throw Error(argument) where a field breaks its rule, and
/// Error(count) where block * places exceeds 2^61.
struct BlockCyclic {
  Index extent;     ///< number of indices, 0 to 2^61
  Index block;      ///< indices of a whole block, at least 1
  Rank places = 1;  ///< coordinates of the grid in this dimension, at least 1
  Rank first = 0;   ///< the coordinate that has the first block, 0 to places - 1

  /// Returns the coordinate that has `index`.
  [[nodiscard]] Rank place_of(Index index) const {
    return static_cast<Rank>((index / block % places + first) % places);
  }
  /// Returns the local index of `index` at the coordinate that has it: its number among all indices
  /// of that coordinate, ascending.
  [[nodiscard]] Index local_index(Index index) const {
    return index / block / places * block + index % block;
  }
  /// Returns the index that the coordinate `place` has at the local index `local`. Inverse of
  /// place_of and local_index together.
  [[nodiscard]] Index index_at(Rank place, Index local) const {
    return (local / block * places + turn_of(place)) * block + local % block;
  }
  /// Returns how many indices the coordinate `place` has (ScaLAPACK's NUMROC).
  [[nodiscard]] Index count(Rank place) const {
    const Index blocks = extent / block;
    const Index turn = turn_of(place);
    const Index whole = blocks / places * block;
    const Index rest = blocks % places;
    if (turn < rest) return whole + block;
    return turn == rest ? whole + extent % block : whole;
  }
  /// Returns the number of the first block that goes to the coordinate `place`, whether there are
  /// that many blocks or not.
  [[nodiscard]] Index turn_of(Rank place) const {
    return place < first ? Index{place} - first + places : Index{place} - first;
  }
};

/// The order of a rank's elements in its memory. In row_major order the last dimension is
/// contiguous, as in C; in column_major order the first one, as in Fortran.
enum class Order { row_major, column_major };

/// An array distributed block-cyclically over a grid of ranks. Each place of the grid has one
/// coordinate per dimension, and has the elements whose every index belongs to its coordinate in
/// that dimension. All ranks describe a layout identically.
///
/// Calls that are given a layout throw Error(argument) where it has no dimension or its grid more
/// places than the communicator has ranks, Error(count) where `ranks` has another length than the
/// grid has places, and Error(rank) where it names a rank twice or one outside the communicator.
struct ArrayLayout {
  /// Extents, blocks and grid by dimension; at least one. The grid has the product of their
  /// `places`.
  std::vector<BlockCyclic> dimensions;

  /// The rank at each place of the grid, places in row-major order of their coordinates; each rank
  /// at most once. Empty: rank k is at place k. Ranks that are at no place have no element.
  std::vector<Rank> ranks = {};

  /// How a rank's part lies in memory, where no strides say otherwise.
  Order order = Order::row_major;
};

/// An array cut into blocks of any lengths, each on any rank. All ranks describe a layout
/// identically.
///
/// Calls that are given a layout throw Error(argument) where it has no dimension or a dimension's
/// splits break their rule, Error(count) where there are not as many owners as blocks, and
/// Error(rank) where an owner is outside the communicator.
struct SplitLayout {
  /// By dimension, the indices at which blocks begin, and after them the extent: from 0,
  /// ascending, two at least. Equal neighbours make an empty block.
  std::vector<std::vector<Index>> splits;
  /// The rank that has each block, blocks in row-major order of their positions.
  std::vector<Rank> owners;

  Order order = Order::row_major;  ///< how a block lies in memory, where no strides say otherwise
};

/// Which elements of one array go where in another one: a box of indices of the one, and its
/// position in the other. Default: all of the one array, from index 0 of the other.
///
/// Calls that are given a section throw Error(argument) where the arrays have different numbers of
/// dimensions, the box does not lie in both of them, or `to_axes` is no permutation of the
/// dimensions.
struct ArraySection {
  /// Indices of the box, by dimension of the source array. Empty: all of that array.
  std::vector<Index> extents = {};
  /// The first index of the box, by dimension of the source array. Empty: 0.
  std::vector<Index> from_begin = {};
  /// The first index of the box, by dimension of the target array. Empty: 0.
  std::vector<Index> to_begin = {};
  /// Dimension d of the source array becomes dimension to_axes[d] of the target array: {1, 0}
  /// transposes a matrix. Empty: dimensions keep their order.
  std::vector<std::size_t> to_axes = {};
};

}  // namespace shunt
