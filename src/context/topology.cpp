#include "context/topology.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/host_kind.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt {

namespace {

std::optional<Extents> torus_named(const std::string& name) {
  if (name.empty()) return std::nullopt;
  try {
    return Extents::parse(name);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("SHUNT_TORUS: {}", error.what()));
  }
}

/// The extents of a Cartesian communicator; nothing for others, and under SMPI, which cannot say.
std::optional<Extents> cartesian_shape(MPI_Comm comm) {
  if constexpr (kSimulated) return std::nullopt;
  int topology = MPI_UNDEFINED;
  check_mpi(MPI_Topo_test(comm, &topology), "MPI_Topo_test");
  if (topology != MPI_CART) return std::nullopt;
  int dimensions = 0;
  check_mpi(MPI_Cartdim_get(comm, &dimensions), "MPI_Cartdim_get");
  if (dimensions == 0) return std::nullopt;
  std::vector<int> extents(static_cast<std::size_t>(dimensions));
  std::vector<int> periods(extents.size());
  std::vector<int> coordinates(extents.size());
  check_mpi(MPI_Cart_get(comm, dimensions, extents.data(), periods.data(), coordinates.data()),
            "MPI_Cart_get");
  return Extents(std::move(extents));
}

}  // namespace

Topology::Topology(MPI_Comm users, ProcessSet& set, const Progress& progress)
    : set_(set), progress_(progress), grid_(cartesian_shape(users)) {}

std::shared_ptr<const Machine> Topology::machine() {
  if (set_.machine() != nullptr) return set_.machine();
  const Rank mine = set_.node().label();
  std::vector<Rank> labels(index_of(set_.ranks()));
  if constexpr (kSimulated) {
    // SMPI's non-blocking one has all messages of all ranks under way at once, which takes minutes
    // to simulate on 1024 ranks.
    check_mpi(MPI_Allgather(&mine, 1, MPI_INT32_T, labels.data(), 1, MPI_INT32_T, set_.comm()),
              "MPI_Allgather");
  } else {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(
        MPI_Iallgather(&mine, 1, MPI_INT32_T, labels.data(), 1, MPI_INT32_T, set_.comm(), &request),
        "MPI_Iallgather");
    progress_.complete(request);
  }
  set_.machine() = std::make_shared<const Machine>(Machine::of_labels(labels));
  return set_.machine();
}

Site Topology::site() {
  const std::shared_ptr<const Machine> where = machine();
  Site site;
  if (set_.rank() == 0) {
    site.machine = host_kind();
    site.mpi = mpi_library();
  }
  site.ranks = where->ranks();
  site.nodes = where->nodes();
  site.largest_node = where->size_of(where->largest_node());
  site.rank_processors = std::max(1, set_.node().processors());
  return site;
}

std::optional<Extents> Topology::find_torus() const {
  const char* own = std::getenv("SHUNT_TORUS");
  std::optional<Extents> named = torus_named(progress_.broadcast_text(own == nullptr ? "" : own));
  if (named && named->ranks() == set_.ranks()) return named;
  return grid_;
}

Surroundings Topology::surroundings() {
  return {[this] { return machine(); },
          [this] {
            if (!torus_) torus_ = find_torus();
            return *torus_;
          }};
}

}  // namespace shunt
