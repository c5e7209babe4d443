#include "interpose/traffic.hpp"

namespace shunt::interpose {

namespace {

std::size_t peers_of(MPI_Comm comm) {
  int inter = 0;
  int peers = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (inter != 0) {
    PMPI_Comm_remote_size(comm, &peers);
  } else {
    PMPI_Comm_size(comm, &peers);
  }
  return static_cast<std::size_t>(peers);
}

Bytes bytes_of(const c::SideArguments& side, c::Form form, std::size_t peers) {
  Bytes bytes = 0;
  MPI_Datatype measured = MPI_DATATYPE_NULL;
  MPI_Count size = 0;
  for (std::size_t k = 0; k < peers; ++k) {
    const Bytes count = side.counts[k];
    if (count == 0) continue;
    const MPI_Datatype type = form == c::Form::alltoallw ? side.types[k] : side.type;
    if (type != measured) PMPI_Type_size_x(type, &size);
    measured = type;
    bytes += count * size;
  }
  return bytes;
}

}  // namespace

Traffic traffic_of(const c::Call& call) noexcept {
  const std::size_t peers = peers_of(call.comm);
  const Bytes received = bytes_of(call.receive, call.form, peers);
  const bool in_place = call.send.buffer == MPI_IN_PLACE;
  return {in_place ? received : bytes_of(call.send, call.form, peers), received};
}

}  // namespace shunt::interpose
