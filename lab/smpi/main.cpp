// shunt-simulated: runs a job of `shunt simulate` inside SimGrid's SMPI, where every rank runs
// this.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>

#include <fmt/format.h>
#include <mpi.h>

#include "lab/smpi/simulated_contest.hpp"

namespace {

using shunt::bench::SimulatedContest;
using shunt::bench::SimulationJob;

/// Rank 0 writes the answer, each line as soon as it is known, and tells who waits that it goes on.
void run(MPI_Comm comm, const SimulationJob& job, bool reports) {
  shunt::bench::set_up_simulation(comm, shunt::read_machine_file(job.machine), job);
  const auto contest = SimulatedContest::make(comm, job);
  std::ofstream results;
  if (reports) results.open(job.results);
  for (const shunt::bench::SimulatedWay& way : job.ways) {
    if (reports && job.announces) {
      fmt::print(stderr, "simulating {} {} {}\n", way.algorithm, way.mode, way.form);
    }
    const double seconds = contest->time(way);
    if (reports) results << nlohmann::json(shunt::bench::SimulatedTime{way, seconds}) << std::endl;
  }
  const shunt::bench::SimulationEnd end = contest->end();
  if (reports) results << nlohmann::json(end) << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  // Not the world itself: SMPI frees that too late for what is kept with it.
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  try {
    std::ifstream file(argc == 2 ? argv[1] : "");
    run(comm, nlohmann::json::parse(file).get<SimulationJob>(), rank == 0);
  } catch (const std::exception& error) {
    // Ends all ranks: they live in this process. MPI_Abort would be a success to SMPI.
    fmt::print(stderr, "shunt-simulated: rank {}: {}\n", rank, error.what());
    std::_Exit(1);
  }
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
