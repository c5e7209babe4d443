// What random traffic is drawn by, from stateless random bits.
#pragma once

#include <cstdint>

#include "model/hash.hpp"

namespace shunt {

/// A random number in [0, 1) from 64 random bits: the upper 53 as a binary fraction.
[[nodiscard]] constexpr double to_fraction(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// Where a pseudo-random permutation of 0..size-1 puts `value` < `size` <= 2^32.
///
/// A Feistel network permutes the least power of 4 that is not below `size`; a value that falls
/// outside is permuted again until it falls inside, which takes fewer than 4 permutations on
/// average.
[[nodiscard]] constexpr std::uint64_t permute(std::uint64_t seed, std::uint64_t size,
                                              std::uint64_t value) {
  constexpr int kRounds = 4;
  int bits = 0;
  while ((std::uint64_t{1} << (2 * bits)) < size) ++bits;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  do {
    std::uint64_t left = value >> bits;
    std::uint64_t right = value & mask;
    for (int round = 0; round < kRounds; ++round) {
      const std::uint64_t mixed = left ^ (hash(seed, round, right) & mask);
      left = right;
      right = mixed;
    }
    value = (left << bits) | right;
  } while (value >= size);
  return value;
}

}  // namespace shunt
