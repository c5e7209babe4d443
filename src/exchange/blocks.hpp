// The user's side of an exchange of ordered blocks, in bytes.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// Block k is `bytes[k]` bytes at `base + offsets[k]`.
struct SendBlocks {
  const std::byte* base = nullptr;
  std::vector<Bytes> bytes;
  std::vector<Bytes> offsets;

  [[nodiscard]] const std::byte* block(std::size_t k) const { return base + offsets[k]; }
};

/// Sum of the lengths of all blocks.
[[nodiscard]] inline Bytes total_bytes(const std::vector<Bytes>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), Bytes{0});
}

struct ReceiveBlocks {
  std::byte* base = nullptr;
  std::vector<Bytes> bytes;
  std::vector<Bytes> offsets;

  [[nodiscard]] std::byte* block(std::size_t k) const { return base + offsets[k]; }
};

}  // namespace shunt
