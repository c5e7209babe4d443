// A side of a call whose buffer is memory of a device, in memory of the host.
#pragma once

#include <cstddef>
#include <vector>

#include "bindings/c/arguments.hpp"

namespace shunt::interpose {

/// The addresses between which the data of a side lies.
struct Reach {
  Bytes begin = 0;
  Bytes end = 0;

  [[nodiscard]] bool is_empty() const { return begin == end; }
};

/// The reach of the blocks that a rank sends to, or receives from, so many ranks. Throws
/// Error(type), Error(count).
[[nodiscard]] Reach reach_of(const c::SideArguments& side, Rank ranks);

/// Copies what lies there, gaps too, by messages of MPI to the rank itself: an MPI that is given
/// memory of devices can move it.
class HostCopy {
 public:
  HostCopy(const c::SideArguments& side, const Reach& reach);

  /// With the copy in the place of the buffer.
  [[nodiscard]] c::SideArguments side() const;

  void copy_back() const;

 private:
  c::SideArguments side_;
  Reach reach_;
  std::vector<std::byte> memory_;
};

}  // namespace shunt::interpose
