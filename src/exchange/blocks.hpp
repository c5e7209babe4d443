// The user's side of an exchange of ordered blocks, in bytes.
#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// Block k is `bytes[k]` bytes at `base + offsets[k]`.
struct SendBlocks {
  const std::byte* base = nullptr;
  std::vector<Bytes> bytes;
  std::vector<Bytes> offsets;

  [[nodiscard]] const std::byte* block(std::size_t k) const { return base + offsets[k]; }
  [[nodiscard]] std::span<const std::byte> span(std::size_t k) const {
    return {block(k), static_cast<std::size_t>(bytes[k])};
  }
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

/// A broadcast: what this rank has for all, and where the blocks of all belong. The lengths of the
/// blocks are the same on all ranks.
struct BroadcastBlocks {
  std::span<const std::byte> own;  ///< may lie where it belongs
  ReceiveBlocks receive;
};

}  // namespace shunt
