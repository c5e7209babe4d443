// Stateless randomness: every draw is a function of a seed and the indices it belongs to, so that
// every rank and every machine draws the same, in any order.
#pragma once

#include <cstdint>

namespace shunt {

/// Mixes 64 bits so that each input bit flips each output bit with probability of about 1/2: the
/// finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// OOPSLA 2014).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  return bits ^ (bits >> 31);
}

/// A random 64-bit number for a seed and some indices, in their order.
template <class... Indices>
[[nodiscard]] constexpr std::uint64_t hash(std::uint64_t seed, Indices... indices) {
  // 2^64 divided by the golden ratio; it keeps a zero from staying zero.
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15u;
  std::uint64_t state = mix(seed + kGolden);
  ((state = mix((state ^ static_cast<std::uint64_t>(indices)) + kGolden)), ...);
  return state;
}

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
