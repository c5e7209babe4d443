// Which parts of a stretch of memory are in use.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "shunt/types.hpp"

namespace shunt {

/// Hands out the bytes [begin, end), first fit.
class Arena {
 public:
  Arena(Bytes begin, Bytes end) {
    if (begin < end) free_.emplace(begin, end);
  }

  /// Where `bytes` bytes are free, which are in use from now on; nothing if they are nowhere.
  [[nodiscard]] std::optional<Bytes> take(Bytes bytes) {
    const auto found = std::ranges::find_if(
        free_, [bytes](const auto& stretch) { return stretch.second - stretch.first >= bytes; });
    if (found == free_.end()) return std::nullopt;
    const auto [begin, end] = *found;
    free_.erase(found);
    if (end - begin > bytes) free_.emplace(begin + bytes, end);
    return begin;
  }

  /// The `bytes` bytes at `begin`, which were taken, are free again.
  void give(Bytes begin, Bytes bytes) {
    Bytes end = begin + bytes;
    const auto after = free_.lower_bound(begin);
    if (after != free_.begin() && std::prev(after)->second == begin) {
      begin = std::prev(after)->first;
      free_.erase(begin);
    }
    if (after != free_.end() && after->first == end) {
      end = after->second;
      free_.erase(after);
    }
    free_.emplace(begin, end);
  }

  /// The longest stretch that can be taken.
  [[nodiscard]] Bytes largest() const {
    Bytes largest = 0;
    for (const auto& [begin, end] : free_) largest = std::max(largest, end - begin);
    return largest;
  }

 private:
  std::map<Bytes, Bytes> free_;  ///< begin and end, ascending; no two of them touch
};

}  // namespace shunt
