// Whole numbers modulo another one.
#pragma once

#include <cstdint>

namespace shunt {

/// In [0, base).
[[nodiscard]] constexpr std::int64_t modulo(std::int64_t value, std::int64_t base) {
  const std::int64_t rest = value % base;
  return rest < 0 ? rest + base : rest;
}

/// The product of two numbers in [0, base), however large they are.
[[nodiscard]] constexpr std::int64_t product_modulo(std::int64_t a, std::int64_t b,
                                                    std::int64_t base) {
  __extension__ using Wide = __int128;
  return static_cast<std::int64_t>(static_cast<Wide>(a) * b % base);
}

/// The x in [0, base) of which `value * x` is 1 modulo `base`; the two have no common divisor. 0
/// where `base` is 1.
[[nodiscard]] constexpr std::int64_t inverse_modulo(std::int64_t value, std::int64_t base) {
  // Euclid's algorithm; at each point x * value is `rest` modulo `base`, and so for the last one.
  std::int64_t rest = modulo(value, base);
  std::int64_t last_rest = base;
  std::int64_t x = base == 1 ? 0 : 1;
  std::int64_t last_x = 0;
  while (rest > 1) {
    const std::int64_t quotient = last_rest / rest;
    const std::int64_t next_rest = last_rest - quotient * rest;
    const std::int64_t next_x = last_x - quotient * x;
    last_rest = rest;
    last_x = x;
    rest = next_rest;
    x = next_x;
  }
  return modulo(x, base);
}

}  // namespace shunt
