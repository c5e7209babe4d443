// Numbers that no other process has.
#pragma once

#include <chrono>
#include <cstdint>

#include <sys/random.h>
#include <unistd.h>

namespace shunt {

/// Not 0 where the system has random numbers; where it has none, by process and time. Throws
/// nothing: other ranks may wait for it.
[[nodiscard]] inline std::uint64_t new_token() noexcept {
  std::uint64_t token = 0;
  if (::getrandom(&token, sizeof token, 0) == sizeof token) return token;
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return static_cast<std::uint64_t>(now) ^ (static_cast<std::uint64_t>(::getpid()) << 40);
}

}  // namespace shunt
