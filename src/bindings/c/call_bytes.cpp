#include "bindings/c/call_bytes.hpp"

#include <algorithm>

namespace shunt::c {

std::vector<Bytes> bytes_by_peer(const SideArguments& side, std::size_t peers) {
  std::vector<Bytes> bytes(peers, 0);
  if (side.buffer == MPI_IN_PLACE) return bytes;
  MPI_Datatype measured = MPI_DATATYPE_NULL;
  MPI_Count size = 0;
  for (std::size_t k = 0; k < peers; ++k) {
    const Bytes count = side.has_block(k) ? side.counts[k] : 0;
    if (count == 0) continue;
    const MPI_Datatype type = side.type_of(k);
    if (type != measured) MPI_Type_size_x(type, &size);
    measured = type;
    bytes[k] = count * size;
  }
  return bytes;
}

std::vector<Bytes> sent_bytes(const Call& call, std::size_t peers) {
  if (call.send.buffer != MPI_IN_PLACE || call.has_root()) return bytes_by_peer(call.send, peers);
  std::vector<Bytes> bytes = bytes_by_peer(call.receive, peers);
  if (is_allgather(call.form)) {
    int rank = 0;
    MPI_Comm_rank(call.comm, &rank);
    std::ranges::fill(bytes, bytes[static_cast<std::size_t>(rank)]);
  }
  return bytes;
}

}  // namespace shunt::c
