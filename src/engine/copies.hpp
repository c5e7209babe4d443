// Copying inside a rank.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mpi_calls/simulated.hpp"
#include "routing/move_bytes.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Copies bytes that do not overlap. It takes time where that is simulated.
inline void copy_bytes(std::byte* to, const std::byte* from, Bytes bytes) {
  charge_copies(bytes);
  if (payloads_are_real()) move_bytes(to, from, bytes);
}

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

/// Lists of copies, one after the other in memory.
class CopyLists {
 public:
  CopyLists() = default;
  explicit CopyLists(const std::vector<std::vector<Copy>>& lists) {
    for (const std::vector<Copy>& list : lists) {
      copies_.insert(copies_.end(), list.begin(), list.end());
      ends_.push_back(copies_.size());
    }
  }

  [[nodiscard]] std::span<const Copy> operator[](std::size_t list) const {
    const std::size_t begin = list == 0 ? 0 : ends_[list - 1];
    return std::span(copies_).subspan(begin, ends_[list] - begin);
  }
  [[nodiscard]] std::span<const Copy> all() const { return copies_; }

 private:
  std::vector<Copy> copies_;
  std::vector<std::size_t> ends_;
};

[[nodiscard]] inline Bytes total_bytes(std::span<const Copy> copies) {
  Bytes total = 0;
  for (const Copy& copy : copies) total += copy.length;
  return total;
}

inline void run_copies(std::span<const Copy> copies, bool odd = false) {
  const Bytes shifted = odd ? 1 : 0;
  if constexpr (kSimulated) charge_copies(total_bytes(copies));
  if (!payloads_are_real()) return;
  for (const Copy& copy : copies) {
    move_bytes(copy.to + shifted * copy.to_shift, copy.from + shifted * copy.from_shift,
               copy.length);
  }
}

}  // namespace shunt
