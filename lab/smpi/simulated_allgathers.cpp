#include "lab/smpi/simulated_allgathers.hpp"

#include "model/sources.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt::bench {

SimulatedAllgathers::SimulatedAllgathers(MPI_Comm comm, const SimulationJob& job)
    : SimulatedContest(comm, job),
      blocks_(Sources(job.blocks), communicator_.rank(), simulation().folded) {}

Plan SimulatedAllgathers::plan(const Options& options) {
  return communicator_.plan_allgatherv(blocks_.send(), blocks_.receive(), blocks_.layout(),
                                       options);
}

void SimulatedAllgathers::run_once(const Options& options) {
  communicator_.allgatherv(blocks_.send(), blocks_.receive(), blocks_.layout(), options);
}

std::function<void()> SimulatedAllgathers::mpi_call(const std::string& name) {
  const IntLayout layout = blocks_.counts();
  const int own = layout.counts[static_cast<std::size_t>(communicator_.rank())];
  if (name == "allgather") {
    return [this, own] {
      MPI_Allgather(blocks_.send().data(), own, MPI_BYTE, blocks_.receive().data(), own, MPI_BYTE,
                    comm());
    };
  }
  return [this, own, layout] {
    MPI_Allgatherv(blocks_.send().data(), own, MPI_BYTE, blocks_.receive().data(),
                   layout.counts.data(), layout.displacements.data(), MPI_BYTE, comm());
  };
}

}  // namespace shunt::bench
