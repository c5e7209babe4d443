#include "bindings/packing.hpp"

#include <algorithm>
#include <climits>
#include <memory>

#include <fmt/format.h>

#include "exchange/mpi_call.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

int free_comm(MPI_Comm /*self*/, int /*keyval*/, void* value, void* /*extra*/) {
  auto* comm = static_cast<MPI_Comm*>(value);
  MPI_Comm_free(comm);
  delete comm;
  return MPI_SUCCESS;
}

/// What hangs on MPI_COMM_SELF ends first in MPI_Finalize, while communicators can still be freed.
MPI_Comm make_packing_comm() {
  auto comm = std::make_unique<MPI_Comm>(MPI_COMM_NULL);
  check_mpi(MPI_Comm_dup(MPI_COMM_SELF, comm.get()), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  int key = MPI_KEYVAL_INVALID;
  check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_comm, &key, nullptr),
            "MPI_Comm_create_keyval");
  check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, comm.get()), "MPI_Comm_set_attr");
  check_mpi(MPI_Comm_free_keyval(&key), "MPI_Comm_free_keyval");
  return *comm.release();
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
