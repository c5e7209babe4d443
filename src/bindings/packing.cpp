#include "bindings/packing.hpp"

#include <algorithm>
#include <climits>

#include <fmt/format.h>

#include "exchange/at_finalize.hpp"
#include "exchange/mpi_call.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

MPI_Comm make_packing_comm() {
  MPI_Comm comm = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(MPI_COMM_SELF, &comm), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  at_finalize([comm]() mutable { MPI_Comm_free(&comm); });
  return comm;
}

/// Calls `part(address, count, offset)` for parts whose counts and lengths fit into MPI's ints.
template <class Part>
void in_parts(const PackedType& type, Bytes address, Bytes count, Part&& part) {
  if (type.size == 0) return;
  if (type.size > INT_MAX) {
    throw Error(ErrorKind::type,
                fmt::format("an element of the datatype has {} bytes in so many pieces that it has "
                            "to be packed by MPI_Pack, which takes at most {}",
                            type.size, INT_MAX));
  }
  const Bytes most = INT_MAX / type.size;
  for (Bytes done = 0; done < count; done += most) {
    part(at_address(address + done * type.extent), static_cast<int>(std::min(most, count - done)),
         done * type.size);
  }
}

}  // namespace

MPI_Comm packing_comm() {
  expect_not_given_back();
  static MPI_Comm comm = make_packing_comm();
  return comm;
}

void pack_elements(const PackedType& type, Bytes address, Bytes count, std::byte* to) {
  in_parts(type, address, count, [&](const std::byte* from, int elements, Bytes offset) {
    int position = 0;
    check_mpi(MPI_Pack(from, elements, type.type, to + offset,
                       elements * static_cast<int>(type.size), &position, packing_comm()),
              "MPI_Pack");
  });
}

void unpack_elements(const PackedType& type, Bytes address, Bytes count, const std::byte* from) {
  in_parts(type, address, count, [&](std::byte* to, int elements, Bytes offset) {
    int position = 0;
    check_mpi(MPI_Unpack(from + offset, elements * static_cast<int>(type.size), &position, to,
                         elements, type.type, packing_comm()),
              "MPI_Unpack");
  });
}

}  // namespace shunt
