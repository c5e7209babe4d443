// How a dimension of an array is dealt out over places: BLOCK, CYCLIC(b) and * of HPF, and
// ScaLAPACK's dimensions with the place of the first block.
#pragma once

#include "model/ldd.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// From one block of a place to its next: places * block. Throws Error(count) where that is more
/// than 2^61, so that sums of indices and blocks fit into 64 bits.
[[nodiscard]] Index block_stride(Rank places, Index block);

/// Indices 0 to extent - 1 in blocks of `block`, the last one maybe shorter, which go in turn to
/// `places` places, the first to place `first`. BLOCK has blocks of ceil(extent / places), * one
/// place. `extent` is at least 0, all others at least 1, and `first` below `places`.
struct BlockCyclic {
  Index extent;
  Index block;
  Rank places;
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

  /// The indices of a place, as distances from `begin`: those of the part that begins there, if one
  /// asks for none below 0. Throws Error(count) as `block_stride` does.
  [[nodiscard]] Ldd ldd(Rank place, Index begin = 0) const;

 private:
  /// The number of the first block of a place.
  [[nodiscard]] Index turn_of(Rank place) const {
    return place < first ? Index{place} - first + places : Index{place} - first;
  }
};

}  // namespace shunt
