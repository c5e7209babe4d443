#include "lab/smpi/simulated_exchanges.hpp"

#include "lab/traffic/patterns.hpp"
#include "mpi_calls/simulated.hpp"

namespace shunt::bench {

SimulatedExchanges::SimulatedExchanges(MPI_Comm comm, const SimulationJob& job)
    : SimulatedContest(comm, job),
      element_(job.element),
      blocks_(comm, *make_traffic(job.pattern, job.shape(communicator_.ranks())), job.element,
              simulation().folded) {}

Plan SimulatedExchanges::plan(const Options& options) {
  return communicator_.plan_alltoallv(blocks_.send(), blocks_.send_layout(), blocks_.receive(),
                                      blocks_.receive_layout(), options);
}

void SimulatedExchanges::run_once(const Options& options) {
  communicator_.alltoallv(blocks_.send(), blocks_.send_layout(), blocks_.receive(),
                          blocks_.receive_layout(), options);
}

std::function<void()> SimulatedExchanges::mpi_call(const std::string& name) {
  MPI_Datatype type = MPI_BYTE;
  if (element_ > 1) {
    MPI_Type_contiguous(element_, MPI_BYTE, &type);
    MPI_Type_commit(&type);
  }
  if (name == "alltoall") {
    return [this, type, count = blocks_.send_counts().counts.front()] {
      MPI_Alltoall(blocks_.send().data(), count, type, blocks_.receive().data(), count, type,
                   comm());
    };
  }
  return [this, type, send = blocks_.send_counts(), receive = blocks_.receive_counts()] {
    MPI_Alltoallv(blocks_.send().data(), send.counts.data(), send.displacements.data(), type,
                  blocks_.receive().data(), receive.counts.data(), receive.displacements.data(),
                  type, comm());
  };
}

}  // namespace shunt::bench
