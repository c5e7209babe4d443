// Arrays of a redistribution that lie in the same memory.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/box_arrays.hpp"
#include "engine/local_redistribution.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Memory that is read, and memory that is written.
class ReadAndWritten {
 public:
  void read(const std::byte* array, Bytes offset, Bytes bytes) { add(read_, array, offset, bytes); }
  void written(const std::byte* array, Bytes offset, Bytes bytes) {
    add(written_, array, offset, bytes);
  }

  /// Whether a byte is both. Costs O(n log n).
  [[nodiscard]] bool meet();

 private:
  struct Range {
    std::uintptr_t begin;
    std::uintptr_t end;
  };

  static void add(std::vector<Range>& ranges, const std::byte* array, Bytes offset, Bytes bytes) {
    if (bytes == 0) return;
    const auto begin =
        reinterpret_cast<std::uintptr_t>(array) + static_cast<std::uintptr_t>(offset);
    ranges.push_back({begin, begin + static_cast<std::uintptr_t>(bytes)});
  }

  std::vector<Range> read_;
  std::vector<Range> written_;
};

/// Whether `rank` overwrites elements that it sends: all of them are looked at.
[[nodiscard]] bool overwrites_what_it_sends(const std::vector<LocalRedistribution>& redistributions,
                                            const std::vector<BoxArrays::Pair>& memory, Rank rank,
                                            Bytes element);

}  // namespace shunt
