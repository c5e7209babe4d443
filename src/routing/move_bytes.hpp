// Copies as memcpy makes them, but equally fast at all addresses.
#pragma once

#include <cstddef>
#include <cstring>

#include "shunt/types.hpp"

namespace shunt {

/// The most bytes for which glibc's memcpy uses a loop of its own on all processors.
inline constexpr Bytes kLoopOfMemcpy = 2048;

/// Whether `to` lies less than a line behind `from` within their pages, in one process or in two.
/// There `rep movsb`, by which glibc 2.36 and Linux copy long blocks, moves one byte per cycle on
/// AMD's processors (seen on Zen 5).
[[nodiscard]] bool is_just_behind(const std::byte* to, const std::byte* from);

void move_long_bytes(std::byte* to, const std::byte* from, Bytes bytes);

/// Copies bytes that do not overlap. Where `bytes` is 0, the addresses may be any.
inline void move_bytes(std::byte* to, const std::byte* from, Bytes bytes) {
  if (bytes > kLoopOfMemcpy) {
    move_long_bytes(to, from, bytes);
  } else if (bytes > 0) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
}

}  // namespace shunt
