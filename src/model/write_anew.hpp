// Memory as a program leaves it that has just computed what is in it.
#pragma once

#include <cstddef>
#include <span>

#include "model/cache_line.hpp"

namespace shunt {

/// Writes what is there. Then it lies in the caches of this processor alone: what was sent from
/// there before may lie in those of its receivers too, who would get the same again for less than
/// anything new.
inline void write_anew(std::span<std::byte> memory) {
  for (std::size_t at = 0; at < memory.size(); at += kCacheLine) {
    volatile std::byte& byte = memory[at];
    const std::byte same = byte;
    byte = same;
  }
}

}  // namespace shunt
