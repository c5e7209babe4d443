// A copy in host memory of a call's buffer that is memory of a device.
#pragma once

#include <cstddef>
#include <vector>

#include "bindings/c/arguments.hpp"

namespace shunt::interpose {

/// The addresses between which the data of a buffer lies.
struct Reach {
  Bytes begin = 0;
  Bytes end = 0;

  [[nodiscard]] bool is_empty() const { return begin == end; }
};

/// Returns the reach of the blocks that a rank sends to, or receives from, `ranks` ranks. Throws
/// Error(type), Error(count).
[[nodiscard]] Reach reach_of(const c::SideArguments& side, Rank ranks);

/// Owns a copy of what lies within a reach, gaps included. Copies by messages of MPI to the rank
/// itself: an MPI that is given memory of devices can move it.
class HostCopy {
 public:
  HostCopy(const c::SideArguments& side, const Reach& reach);

  /// Returns the arguments with the copy instead of the buffer.
  [[nodiscard]] c::SideArguments side() const;

  void copy_back() const;

 private:
  c::SideArguments side_;
  Reach reach_;
  std::vector<std::byte> memory_;
};

}  // namespace shunt::interpose
