// Distributed arrays, each with the part of it that one rank has.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "shunt/array_layout.hpp"
#include "shunt/element_update.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// std::byte, const where T is const.
template <class T>
using ByteOf = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;

/// Returns the memory of `elements` as bytes.
template <class T>
[[nodiscard]] std::span<ByteOf<T>> bytes_of(std::span<T> elements) {
  return {reinterpret_cast<ByteOf<T>*>(elements.data()), elements.size_bytes()};
}

/// A block-cyclically distributed array with this rank's part of it. Refers to the elements, which
/// the caller owns.
template <class T>
struct DistributedArray {
  ArrayLayout layout;
  /// This rank's elements, from its local index 0 in all dimensions on, at least as far as
  /// `strides` reach; of any length where the rank has no element.
  std::span<T> part;
  /// The distance from one local index to the next, in elements, by dimension; at least 1 where
  /// there is a next index. A ScaLAPACK matrix has {1, lld}. Empty: the part is dense, in the
  /// layout's order.
  std::vector<Index> strides = {};

  /// Returns this array with its elements as bytes; `strides` still count elements.
  [[nodiscard]] DistributedArray<ByteOf<T>> bytes() const {
    return {layout, bytes_of(part), strides};
  }
};

/// One of this rank's blocks of a SplitArray. Refers to the elements, which the caller owns;
/// `part` and `strides` are as in DistributedArray.
template <class T>
struct LocalBlock {
  std::span<T> part;
  std::vector<Index> strides = {};
};

/// An array in blocks of any lengths with the blocks that this rank has.
template <class T>
struct SplitArray {
  SplitLayout layout;
  /// This rank's blocks, in the order of `layout.owners`; as many as it owns.
  std::vector<LocalBlock<T>> blocks;

  /// Returns this array with its elements as bytes; strides still count elements.
  [[nodiscard]] SplitArray<ByteOf<T>> bytes() const {
    SplitArray<ByteOf<T>> all{layout, {}};
    for (const LocalBlock<T>& block : blocks) {
      all.blocks.push_back({bytes_of(block.part), block.strides});
    }
    return all;
  }
};

/// A distributed array of either kind.
template <class T>
using AnyArray = std::variant<DistributedArray<T>, SplitArray<T>>;

/// One of the arrays that Communicator::plan_redistributions moves in one exchange: the elements of
/// `section` go from `from` to `to`, of whichever kinds these are.
template <class T>
struct ArrayTransfer {
  AnyArray<const T> from;
  AnyArray<T> to;
  ArraySection section = {};
  /// How an arriving element is combined with the one that is there. None: it replaces that one.
  /// LinearUpdate<double>{2, 1}.for_elements() makes to = 2 * from + to.
  ElementUpdate update{};  // with "=" g++ 12 breaks down where this is left out

  /// Returns this transfer with the elements of both arrays as bytes.
  [[nodiscard]] ArrayTransfer<std::byte> bytes() const {
    return {std::visit([](const auto& array) -> AnyArray<const std::byte> { return array.bytes(); },
                       from),
            std::visit([](const auto& array) -> AnyArray<std::byte> { return array.bytes(); }, to),
            section, update};
  }
};

}  // namespace shunt
