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

}  // namespace shunt
