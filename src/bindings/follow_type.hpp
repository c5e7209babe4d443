// The bytes of a datatype, found out by following how it was made.
#pragma once

#include <mpi.h>

#include "bindings/type_map.hpp"

namespace shunt {

/// MPI is asked how the type was made, never to pack it: MPI_Pack of MPICH 4.0 loses bytes where
/// many types are alive, and its ints count 2 GiB. Throws Error(type) where it was made in a way
/// that is not known here, Error(count) where it exceeds 64 bits.
[[nodiscard]] TypeMapPointer follow(MPI_Datatype type);

}  // namespace shunt
