// The user's side of an exchange of ordered blocks, in bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "model/loads.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Block k is `bytes[k]` bytes at `base + offsets[k]`.
template <class Byte>
struct BlocksOf {
  Byte* base = nullptr;
  std::vector<Bytes> bytes;
  std::vector<Bytes> offsets;

  [[nodiscard]] Byte* block(std::size_t k) const { return base + offsets[k]; }
  [[nodiscard]] std::span<const std::byte> span(std::size_t k) const {
    return {block(k), static_cast<std::size_t>(bytes[k])};
  }
};
using SendBlocks = BlocksOf<const std::byte>;
using ReceiveBlocks = BlocksOf<std::byte>;

/// Sum of the lengths of all blocks.
[[nodiscard]] inline Bytes total_bytes(const std::vector<Bytes>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), Bytes{0});
}

/// Whether blocks of these lengths end at offsets that are ints, so that any part of them is at
/// one.
[[nodiscard]] inline bool ends_fit_ints(const std::vector<Bytes>& bytes,
                                        const std::vector<Bytes>& offsets) {
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    if (!std::in_range<int>(offsets[k]) || !std::in_range<int>(offsets[k] + bytes[k])) return false;
  }
  return true;
}

/// Returns the load and the longest block of a rank with blocks of these lengths.
[[nodiscard]] inline TrafficBound traffic_of(const std::vector<Bytes>& sent,
                                             const std::vector<Bytes>& received) {
  TrafficBound traffic;
  for (const std::vector<Bytes>* side : {&sent, &received}) {
    traffic.largest_load = std::max(traffic.largest_load, total_bytes(*side));
    for (const Bytes bytes : *side) traffic.longest_block = std::max(traffic.longest_block, bytes);
  }
  return traffic;
}

/// Returns the bytes that rank `own`, with blocks of these lengths, has for other ranks, or from
/// them, whichever are more.
[[nodiscard]] inline Bytes load_of_others(const std::vector<Bytes>& sent,
                                          const std::vector<Bytes>& received, Rank own) {
  const auto k = static_cast<std::size_t>(own);
  return std::max(total_bytes(sent) - sent[k], total_bytes(received) - received[k]);
}

/// Counts and displacements of the blocks of one side, in bytes, as MPI takes them.
struct IntBlocks {
  std::vector<int> counts;
  std::vector<int> places;
};

/// An all-gather: what this rank has for all, and where the blocks of all belong. The lengths of
/// the blocks are the same on all ranks.
struct AllgatherBlocks {
  std::span<const std::byte> own;  ///< may lie where it belongs
  const ReceiveBlocks& receive;
};

}  // namespace shunt
