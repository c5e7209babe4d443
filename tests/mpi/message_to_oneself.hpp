// MPI's own packing of elements, by a message to oneself: MPI_Pack of MPICH 4.0 loses bytes of
// dense types once some hundred types were alive.
#pragma once

#include <mpi.h>

namespace shunt::test {

/// Packs `count` elements into `bytes` bytes.
inline void pack_by_message(const void* elements, int count, MPI_Datatype type, void* packed,
                            int bytes) {
  MPI_Sendrecv(elements, count, type, 0, 0, packed, bytes, MPI_PACKED, 0, 0, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
}

/// Unpacks `bytes` bytes into `count` elements.
inline void unpack_by_message(const void* packed, int bytes, void* elements, int count,
                              MPI_Datatype type) {
  MPI_Sendrecv(packed, bytes, MPI_PACKED, 0, 0, elements, count, type, 0, 0, MPI_COMM_SELF,
               MPI_STATUS_IGNORE);
}

}  // namespace shunt::test
