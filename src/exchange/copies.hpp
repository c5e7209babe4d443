// Copying inside a rank.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

struct Copy {
  const std::byte* from;
  std::byte* to;
  Bytes length;
  /// How much further `from` and `to` lie in odd executions of a plan.
  Bytes from_shift = 0;
  Bytes to_shift = 0;
};

/// Appends a copy; one that continues the last one on both sides makes it longer.
inline void append_copy(std::vector<Copy>& copies, const Copy& copy) {
  if (!copies.empty()) {
    Copy& last = copies.back();
    if (last.from + last.length == copy.from && last.to + last.length == copy.to &&
        last.from_shift == copy.from_shift && last.to_shift == copy.to_shift) {
      last.length += copy.length;
      return;
    }
  }
  copies.push_back(copy);
}

inline void run_copies(std::span<const Copy> copies, bool odd = false) {
  const Bytes shifted = odd ? 1 : 0;
  for (const Copy& copy : copies) {
    std::memcpy(copy.to + shifted * copy.to_shift, copy.from + shifted * copy.from_shift,
                static_cast<std::size_t>(copy.length));
  }
}

}  // namespace shunt
