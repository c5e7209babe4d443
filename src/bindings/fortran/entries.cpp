// What the Fortran module calls: handles are Fortran's integers, and Fortran's MPI_IN_PLACE and
// MPI_BOTTOM, which are variables, come along to be known by their addresses.
#include <type_traits>
#include <vector>

#include <mpi.h>

#include "shunt/shunt.h"

static_assert(std::is_same_v<MPI_Fint, int>, "Fortran's integers are taken for C's");

namespace {

/// The addresses that stand for no buffer.
struct Special {
  const void* in_place;
  const void* bottom;
};

void* c_buffer(void* buffer, const Special& special) {
  if (buffer == special.in_place) return MPI_IN_PLACE;
  return buffer == special.bottom ? MPI_BOTTOM : buffer;
}

/// In place the arguments of a side may be anything at all.
MPI_Datatype c_type(const void* buffer, MPI_Fint type) {
  return buffer == MPI_IN_PLACE ? MPI_DATATYPE_NULL : MPI_Type_f2c(type);
}

std::vector<MPI_Datatype> c_types(const void* buffer, const MPI_Fint* types, MPI_Comm comm) {
  std::vector<MPI_Datatype> converted;
  int inter = 0;
  int ranks = 0;
  if (buffer == MPI_IN_PLACE || comm == MPI_COMM_NULL) return converted;
  if (MPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS || inter != 0) return converted;
  MPI_Comm_size(comm, &ranks);
  for (int peer = 0; peer < ranks; ++peer) converted.push_back(MPI_Type_f2c(types[peer]));
  return converted;
}

}  // namespace

extern "C" {

#include "bindings/fortran/entries.inc"

int shunt_fortran_wait(SHUNT_Request* request) { return SHUNT_Wait(request, MPI_STATUS_IGNORE); }

int shunt_fortran_test(SHUNT_Request* request, int* flag) {
  return SHUNT_Test(request, flag, MPI_STATUS_IGNORE);
}

}  // extern "C"
