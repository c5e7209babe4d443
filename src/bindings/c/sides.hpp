// A side of a call from the arguments of a function, with counts of int or wide ones. All refer to
// the arguments, which outlive the side.
#pragma once

#include "bindings/c/arguments.hpp"

namespace shunt::c {

template <class Count>
[[nodiscard]] SideArguments equal_side(const void* buffer, const Count& count, MPI_Datatype type) {
  return {Shape::equal, buffer, Integers::every(count), Integers::none(), type};
}

/// A block for all ranks, or for the `peer`, or from it.
template <class Count>
[[nodiscard]] SideArguments single_side(const void* buffer, const Count& count, MPI_Datatype type,
                                        int peer = SideArguments::kAllRanks) {
  return {Shape::single, buffer, Integers::every(count), Integers::none(), type, nullptr, peer};
}

template <class Count, class Offset>
[[nodiscard]] SideArguments blocks_side(const void* buffer, const Count* counts,
                                        const Offset* displacements, MPI_Datatype type) {
  return {Shape::blocks, buffer, Integers::array(counts), Integers::array(displacements),
          type,          nullptr};
}

template <class Count, class Offset>
[[nodiscard]] SideArguments typed_side(const void* buffer, const Count* counts,
                                       const Offset* displacements, const MPI_Datatype* types) {
  return {Shape::typed,      buffer, Integers::array(counts), Integers::array(displacements),
          MPI_DATATYPE_NULL, types};
}

/// Makes the arguments of a function those of a side of this sort: MPI's own function is called
/// with them. A side of many counts, or of a root's, can only have another buffer.
template <class Buffer, class Count>
void give_back(const SideArguments& side, Buffer& buffer, Count& count, MPI_Datatype& type) {
  if (side.shape == Shape::none) return;
  buffer = const_cast<Buffer>(side.buffer);
  count = static_cast<Count>(side.counts[0]);
  type = side.type;
}
template <class Buffer, class... Arrays>
void give_back(const SideArguments& side, Buffer& buffer, const Arrays&... /*others*/) {
  if (side.shape == Shape::none) return;
  buffer = const_cast<Buffer>(side.buffer);
}

}  // namespace shunt::c
