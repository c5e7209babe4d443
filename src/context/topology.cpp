#include "context/topology.hpp"

#include <algorithm>
#include <vector>

#include "context/torus_shape.hpp"
#include "model/host_kind.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt {

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

Surroundings Topology::surroundings() {
  return {[this] { return machine(); },
          [this] {
            if (!torus_) torus_ = torus_of(progress_, set_.ranks(), grid_);
            return *torus_;
          }};
}

}  // namespace shunt
