#include "learning/learned_calls.hpp"

#include <bit>
#include <cstdint>

namespace shunt {

TrafficClass class_of(const std::array<Bytes, 3>& numbers) {
  TrafficClass bits{};
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    bits[k] = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(numbers[k])));
  }
  return bits;
}

}  // namespace shunt
