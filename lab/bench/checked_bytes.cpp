#include "lab/bench/checked_bytes.hpp"

#include <cstdint>
#include <cstring>

namespace shunt::bench {

std::byte byte_of(Rank source, Rank destination, Bytes place) {
  const auto mixed = static_cast<std::uint64_t>(source) * 0x9E3779B97F4A7C15ULL ^
                     static_cast<std::uint64_t>(destination) * 0xC2B2AE3D27D4EB4FULL ^
                     static_cast<std::uint64_t>(place) * 0x165667B19E3779F9ULL;
  return static_cast<std::byte>(mixed >> 53);
}

void CheckedBytes::spoil() {
  constexpr int kPoison = 0xA5;
  if (!received_.empty()) std::memset(received_.data(), kPoison, received_.size());
}

Bytes CheckedBytes::wrong() const {
  if (received_ == expected_) return 0;
  Bytes wrong = 0;
  for (std::size_t i = 0; i < received_.size(); ++i) {
    if (received_[i] != expected_[i]) ++wrong;
  }
  return wrong;
}

}  // namespace shunt::bench
