// Copies as memcpy makes them, but as fast wherever they lie.
#pragma once

#include <cstddef>
#include <cstring>

#include "shunt/types.hpp"

namespace shunt {

/// Up to so many bytes glibc's memcpy takes a loop of its own on all processors.
inline constexpr Bytes kLoopOfMemcpy = 2048;

/// Whether `to` lies less than a line behind `from` within their pages, in whatever processes they
/// are. There `rep movsb`, by which glibc 2.36 and Linux copy what is long, moves a byte a cycle on
/// AMD's processors, as seen on Zen 5.
[[nodiscard]] bool is_just_behind(const std::byte* to, const std::byte* from);

void move_long_bytes(std::byte* to, const std::byte* from, Bytes bytes);

/// Copies bytes that do not overlap; where there are none, from and to anywhere.
inline void move_bytes(std::byte* to, const std::byte* from, Bytes bytes) {
  if (bytes > kLoopOfMemcpy) {
    move_long_bytes(to, from, bytes);
  } else if (bytes > 0) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
}

}  // namespace shunt
