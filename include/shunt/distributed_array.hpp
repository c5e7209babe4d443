// Arrays that are dealt out over ranks, each with what one rank has of it.
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

/// std::byte, as constant as T.
template <class T>
using ByteOf = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;

template <class T>
[[nodiscard]] std::span<ByteOf<T>> bytes_of(std::span<T> elements) {
  return {reinterpret_cast<ByteOf<T>*>(elements.data()), elements.size_bytes()};
}

/// An array with this rank's part of it.
template <class T>
struct DistributedArray {
  ArrayLayout layout;
  /// Where the rank keeps it; of any length where it has nothing.
  std::span<T> part;
  /// From one local index to the next, in elements, by dimension; at least 1 where there is a next
  /// one. ScaLAPACK's matrices have {1, lld}. Empty: the part has no gaps.
  std::vector<Index> strides = {};

  [[nodiscard]] DistributedArray<ByteOf<T>> bytes() const {
    return {layout, bytes_of(part), strides};
  }
};

/// One of this rank's blocks; `part` and `strides` are as in DistributedArray.
template <class T>
struct LocalBlock {
  std::span<T> part;
  std::vector<Index> strides = {};
};

/// An array in blocks with those of this rank, in the order in which the layout has them.
template <class T>
struct SplitArray {
  SplitLayout layout;
  std::vector<LocalBlock<T>> blocks;

  [[nodiscard]] SplitArray<ByteOf<T>> bytes() const {
    SplitArray<ByteOf<T>> all{layout, {}};
    for (const LocalBlock<T>& block : blocks) {
      all.blocks.push_back({bytes_of(block.part), block.strides});
    }
    return all;
  }
};

template <class T>
using AnyArray = std::variant<DistributedArray<T>, SplitArray<T>>;

/// One of several arrays that go in one exchange: what `section` says of `from` goes to `to`, of
/// whichever kinds they are.
template <class T>
struct ArrayTransfer {
  AnyArray<const T> from;
  AnyArray<T> to;
  ArraySection section = {};
  /// None: elements are copied. Else they are put together with those that are there:
  /// LinearUpdate<double>{2, 1}.for_elements() makes to = 2 * from + to.
  ElementUpdate update{};  // with "=" g++ 12 breaks down where this is left out

  [[nodiscard]] ArrayTransfer<std::byte> bytes() const {
    return {std::visit([](const auto& array) -> AnyArray<const std::byte> { return array.bytes(); },
                       from),
            std::visit([](const auto& array) -> AnyArray<std::byte> { return array.bytes(); }, to),
            section, update};
  }
};

}  // namespace shunt
