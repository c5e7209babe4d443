// Memory that is read and memory that is written in one exchange.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// The addresses from `begin` to `end`, at least one, of what the caller numbers.
struct MemoryPiece {
  Bytes begin;
  Bytes end;
  std::size_t number = 0;
};

/// Returns the numbers of a piece that is read and of one that is written which have a byte in
/// common; nothing where no two do. Costs O(n log n).
[[nodiscard]] inline std::optional<std::pair<std::size_t, std::size_t>> first_overlap(
    std::vector<MemoryPiece> read, std::vector<MemoryPiece> written) {
  std::ranges::sort(read, {}, &MemoryPiece::begin);
  std::ranges::sort(written, {}, &MemoryPiece::begin);
  auto a = read.begin();
  auto b = written.begin();
  while (a != read.end() && b != written.end()) {
    if (a->begin < b->end && b->begin < a->end) return std::pair(a->number, b->number);
    if (a->end <= b->end) {
      ++a;
    } else {
      ++b;
    }
  }
  return std::nullopt;
}

}  // namespace shunt
