#include "interpose/traffic.hpp"

#include "bindings/c/call_bytes.hpp"
#include "context/blocks.hpp"
#include "model/or_nothing.hpp"

namespace shunt::interpose {

namespace {

bool is_inter(MPI_Comm comm) {
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  return inter != 0;
}

std::size_t peers_of(MPI_Comm comm) {
  int peers = 0;
  if (is_inter(comm)) {
    PMPI_Comm_remote_size(comm, &peers);
  } else {
    PMPI_Comm_size(comm, &peers);
  }
  return static_cast<std::size_t>(peers);
}

bool is_root(const c::Call& call) {
  if (is_inter(call.comm)) return call.root == MPI_ROOT;
  int rank = 0;
  PMPI_Comm_rank(call.comm, &rank);
  return call.root == rank;
}

}  // namespace

Traffic traffic_of(const c::Call& given) noexcept {
  // There may be no memory to count by.
  return or_nothing([&] {
    const c::Call call = given.has_root() ? c::significant_part(given, is_root(given)) : given;
    const std::size_t peers = peers_of(call.comm);
    return Traffic{total_bytes(c::sent_bytes(call, peers)),
                   total_bytes(c::bytes_by_peer(call.receive, peers))};
  });
}

}  // namespace shunt::interpose
