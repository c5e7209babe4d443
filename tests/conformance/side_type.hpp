// Datatypes of every kind over a few atoms, so that ranks whose types differ can still agree on
// their signature.
#pragma once

#include <mpi.h>

#include "conformance/dice.hpp"

namespace shunt::test {

/// What signatures are made of. Predefined, or the caller's to free by `free_type`.
[[nodiscard]] MPI_Datatype random_atom(Dice& dice);

/// An element of a datatype that holds `atoms` atoms; any rank can work it out for any other.
struct Shape {
  int kind;
  int atoms;
  int variant;
};

/// `tiles`: elements at multiples of the extent must not reach into each other.
[[nodiscard]] Shape random_shape(Dice& dice, bool tiles);

/// The committed type of that shape; to be freed by `free_type`.
[[nodiscard]] MPI_Datatype make_type(const Shape& shape, MPI_Datatype atom);

/// Frees what is not predefined.
void free_type(MPI_Datatype& type);

/// Bytes from an element's place to its first byte, to behind its last, and to the next element.
struct Reach {
  MPI_Aint begin;
  MPI_Aint end;
  MPI_Aint extent;
};
[[nodiscard]] Reach reach_of(MPI_Datatype type);

}  // namespace shunt::test
