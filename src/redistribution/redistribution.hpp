// Which elements of an array go from whom to whom when it is dealt out anew. Guo, Nakata, Yamashita
// 2000, Section 3, in any number of dimensions: the index work is done once per dimension and pair
// of coordinates, never per pair of blocks.
#pragma once

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
  std::vector<std::size_t> axes;  ///< dimension d of the part lies along this one of the array
};

/// What two ranks have to do with each other. Never empty.
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
  /// The same of a section. Throws Error(argument) also where that does not name the dimensions.
  Redistribution(const ArrayLayout& from, const ArrayLayout& to, const ArraySection& section,
                 Rank ranks);

  /// What a rank sends, from memory with these strides: bytes from one local index to the next, by
  /// dimension of `from`. What it sends to itself is among it. The elements of a message have the
  /// order that they have in the memory of `from`, on both sides.
  [[nodiscard]] std::vector<BoxMessage> sends(Rank rank, std::span<const Bytes> strides,
                                              Bytes element) const {
    return messages(from_, to_, rank, strides, element);
  }
  /// What it receives, into memory with these strides, by dimension of `to`.
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

}  // namespace shunt
