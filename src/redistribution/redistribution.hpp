// Which elements of an array go from which rank to which when it is redistributed. Guo, Nakata,
// Yamashita 2000, Section 3, in any number of dimensions: the index work is done once per dimension
// and pair of coordinates, never per pair of blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "model/array_layout.hpp"
#include "routing/box.hpp"
#include "shunt/array_layout.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// An array of which a part is redistributed, from it or to it.
struct ArraySide {
  ArrayLayout layout;
  std::vector<Index> begin;       ///< of the part, by dimension of the array
  std::vector<std::size_t> axes;  ///< by dimension of the part: the dimension of the array
};

/// The elements that go from one rank to another. Never empty.
struct BoxMessage {
  Rank peer;
  Box box;
};

/// A part of one array goes into a part of another one.
class Redistribution {
 public:
  /// `extents` are those of the part. Throws Error(argument), Error(count) or Error(rank) where a
  /// layout is not one over `ranks` ranks, or the part is not within its array.
  Redistribution(ArraySide from, ArraySide to, std::vector<Index> extents, Rank ranks);
  /// Makes the redistribution of a section. Throws as the other constructor, and Error(argument)
  /// where `section.to_axes` is no permutation of the dimensions.
  Redistribution(const ArrayLayout& from, const ArrayLayout& to, const ArraySection& section,
                 Rank ranks);

  /// Returns what a rank sends, itself included, from memory with these strides: bytes from one
  /// local index to the next, by dimension of `from`. The elements of a message are in the order of
  /// the memory of `from`, for sender and receiver.
  [[nodiscard]] std::vector<BoxMessage> sends(Rank rank, std::span<const Bytes> strides,
                                              Bytes element) const {
    return messages(from_, to_, rank, strides, element);
  }
  /// Returns what a rank receives, itself included, into memory with these strides, by dimension of
  /// `to`.
  [[nodiscard]] std::vector<BoxMessage> receives(Rank rank, std::span<const Bytes> strides,
                                                 Bytes element) const {
    return messages(to_, from_, rank, strides, element);
  }

  [[nodiscard]] const ArraySide& from() const { return from_; }
  [[nodiscard]] const ArraySide& to() const { return to_; }
  [[nodiscard]] const std::vector<Index>& extents() const { return extents_; }  ///< of the part
  [[nodiscard]] Rank ranks() const { return ranks_; }

 private:
  [[nodiscard]] std::vector<BoxMessage> messages(const ArraySide& mine, const ArraySide& other,
                                                 Rank rank, std::span<const Bytes> strides,
                                                 Bytes element) const;

  ArraySide from_;
  ArraySide to_;
  std::vector<Index> extents_;
  Rank ranks_;
  std::vector<std::size_t> order_;  ///< dimensions of the part, the slowest first
};

/// Calls `visit(place)` for all places of a grid of these extents, in row-major order.
template <class Visit>
void for_each_place(const std::vector<std::size_t>& extents, Visit&& visit) {
  if (std::ranges::count(extents, std::size_t{0}) > 0) return;
  std::vector<std::size_t> place(extents.size(), 0);
  for (bool more = true; more;) {
    visit(place);
    more = false;
    for (std::size_t d = place.size(); d-- > 0 && !more;) {
      more = ++place[d] < extents[d];
      if (!more) place[d] = 0;
    }
  }
}

}  // namespace shunt
