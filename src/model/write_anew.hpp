// Puts memory into the state in which a program leaves it that has just computed its contents.
#pragma once

#include <cstddef>
#include <span>

#include "model/cache_line.hpp"

namespace shunt {

/// Writes every cache line with its present contents, so that it lies in the caches of this
/// processor alone. What was sent from there before may also lie in the caches of its receivers,
/// which would get it again faster than new data.
inline void write_anew(std::span<std::byte> memory) {
  for (std::size_t at = 0; at < memory.size(); at += kCacheLine) {
    volatile std::byte& byte = memory[at];
    const std::byte same = byte;
    byte = same;
  }
}

}  // namespace shunt
