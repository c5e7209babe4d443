// Where the blocks of a buffer lie.
#pragma once

#include <concepts>
#include <ranges>
#include <type_traits>
#include <vector>

#include "shunt/error.hpp"
#include "shunt/integers.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A contiguous range of integers of any type, for counts, displacements and ranks.
template <class R>
concept IntegerRange =
    std::ranges::contiguous_range<R> && std::integral<std::ranges::range_value_t<R>>;

/// A type whose elements are moved as their bytes.
template <class T>
concept Element = std::is_trivially_copyable_v<T>;

/// Where the blocks of a send or a receive buffer lie: block k is `counts[k]` elements, beginning
/// `displacements[k]` elements after the start of the buffer. The displacement of an empty block
/// does not matter.
struct Layout {
  std::vector<Count> counts;         ///< elements of each block, one entry per rank
  std::vector<Count> displacements;  ///< in elements from the buffer's start, one entry per rank

  /// Returns the layout of blocks with these counts that lie one after the other. Takes O(ranks).
  /// Local. Throws Error(count) where a count or the sum of all exceeds 64 bits.
  template <IntegerRange Counts>
  [[nodiscard]] static Layout packed(const Counts& counts) {
    Layout layout;
    layout.counts = numbers(counts, "a count");
    Count end = 0;
    for (const Count count : layout.counts) {
      layout.displacements.push_back(end);
      if (__builtin_add_overflow(end, count, &end)) {
        throw Error(ErrorKind::count, "the counts of a layout exceed 64 bits together");
      }
    }
    return layout;
  }

  /// Returns the layout of blocks with these counts and displacements. Takes O(ranks). Local.
  /// Throws Error(count) where a number exceeds 64 bits.
  template <IntegerRange Counts, IntegerRange Displacements>
  [[nodiscard]] static Layout of(const Counts& counts, const Displacements& displacements) {
    Layout layout;
    layout.counts = numbers(counts, "a count");
    layout.displacements = numbers(displacements, "a displacement");
    return layout;
  }

 private:
  template <IntegerRange Numbers>
  static std::vector<Count> numbers(const Numbers& given, const char* what) {
    std::vector<Count> result;
    result.reserve(std::ranges::size(given));
    for (const auto number : given) {
      result.push_back(checked_integer<Count>(number, ErrorKind::count, what));
    }
    return result;
  }
};

}  // namespace shunt
