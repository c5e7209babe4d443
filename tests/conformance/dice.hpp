// Random choices that every rank can make alike without talking: they follow from numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace shunt::test {

/// A stream of choices that depends on nothing but the numbers it was made from.
class Dice {
 public:
  Dice(std::initializer_list<std::uint64_t> numbers) {
    for (const std::uint64_t number : numbers) {
      state_ ^= number;
      (void)next();
    }
  }

  /// Of 0, 1, .., sides - 1.
  [[nodiscard]] int below(int sides) {
    return static_cast<int>(next() % static_cast<std::uint64_t>(sides));
  }

  [[nodiscard]] bool one_in(int sides) { return below(sides) == 0; }

  /// SplitMix64 (Steele, Lea, Flood 2014).
  [[nodiscard]] std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31);
  }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace shunt::test
