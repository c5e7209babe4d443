#include "interpose/traffic.hpp"

#include <exception>

#include "bindings/c/call_bytes.hpp"
#include "exchange/blocks.hpp"

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

}  // namespace

Traffic traffic_of(const c::Call& call) noexcept {
  try {
    const std::size_t peers = peers_of(call.comm);
    return {total_bytes(c::sent_bytes(call, peers)),
            total_bytes(c::bytes_by_peer(call.receive, peers))};
  } catch (const std::exception&) {
    return {};  // there is no memory to count by
  }
}

}  // namespace shunt::interpose
