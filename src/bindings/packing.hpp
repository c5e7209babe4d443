// MPI_Pack and MPI_Unpack for any number of elements at any address.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mpi.h>

#include "shunt/types.hpp"

namespace shunt {

/// A communicator of this process alone whose errors are returned, so that packing and asking about
/// types concerns nobody's error handler. Freed by MPI_Finalize.
[[nodiscard]] MPI_Comm packing_comm();

/// Addresses are numbers here: a datatype may be made of absolute addresses, which are no offsets
/// in any array.
[[nodiscard]] inline Bytes address_of(const void* place) {
  return reinterpret_cast<std::intptr_t>(place);
}
[[nodiscard]] inline std::byte* at_address(Bytes address) {
  // There is no pointer that it could be derived from instead.
  return reinterpret_cast<std::byte*>(  // NOLINT(performance-no-int-to-ptr)
      static_cast<std::intptr_t>(address));
}

/// Elements as MPI wants them: `size` bytes of data each, one every `extent` bytes.
struct PackedType {
  MPI_Datatype type;
  Bytes size;
  Bytes extent;
};

/// Packs `count` elements at `address`. Throws Error(type) where one element is more than MPI_Pack
/// takes.
void pack_elements(const PackedType& type, Bytes address, Bytes count, std::byte* to);

/// The reverse.
void unpack_elements(const PackedType& type, Bytes address, Bytes count, const std::byte* from);

}  // namespace shunt
