#include "bindings/c/call_bytes.hpp"

namespace shunt::c {

std::vector<Bytes> bytes_by_peer(const SideArguments& side, Form form, std::size_t peers) {
  std::vector<Bytes> bytes(peers, 0);
  MPI_Datatype measured = MPI_DATATYPE_NULL;
  MPI_Count size = 0;
  for (std::size_t k = 0; k < peers; ++k) {
    const Bytes count = side.counts[k];
    if (count == 0) continue;
    const MPI_Datatype type = form == Form::alltoallw ? side.types[k] : side.type;
    if (type != measured) MPI_Type_size_x(type, &size);
    measured = type;
    bytes[k] = count * size;
  }
  return bytes;
}

std::vector<Bytes> sent_bytes(const Call& call, std::size_t peers) {
  const bool in_place = call.send.buffer == MPI_IN_PLACE;
  return bytes_by_peer(in_place ? call.receive : call.send, call.form, peers);
}

}  // namespace shunt::c
