// The user's side of an exchange of ordered blocks, in bytes.
#pragma once

#include <cstddef>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// Block k is `bytes[k]` bytes at `base + offsets[k]`.
struct SendBlocks {
  const std::byte* base;
  std::vector<Bytes> bytes;
  std::vector<Bytes> offsets;

  [[nodiscard]] const std::byte* block(std::size_t k) const { return base + offsets[k]; }
};

struct ReceiveBlocks {
  std::byte* base;
  std::vector<Bytes> bytes;
  std::vector<Bytes> offsets;

  [[nodiscard]] std::byte* block(std::size_t k) const { return base + offsets[k]; }
};

}  // namespace shunt
