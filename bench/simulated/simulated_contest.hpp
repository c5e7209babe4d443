// Exchanges of the same blocks on a simulated machine, one after another.
#pragma once

#include <functional>

#include <mpi.h>

#include "contest_blocks.hpp"
#include "model/machine_file.hpp"
#include "shunt/shunt.hpp"
#include "simulation_job.hpp"

namespace shunt::bench {

class SimulatedContest {
 public:
  /// Collective, as are the other members.
  SimulatedContest(MPI_Comm comm, const SimulationJob& job);

  /// Makes the exchange once, and checks it: simulated seconds from the common start until the last
  /// rank is done.
  [[nodiscard]] double time(const SimulatedWay& way);

  /// Over all ranks, so far.
  [[nodiscard]] SimulationEnd end() const;

 private:
  [[nodiscard]] double time_once(const std::function<void()>& run);
  [[nodiscard]] std::function<void()> mpi_call(const std::string& name);

  MPI_Comm comm_;
  const SimulationJob& job_;
  Yard yard_;
  ContestBlocks blocks_;
  SimulationEnd end_;
};

/// Has the machine charge start-ups and copies, and folds payloads if the job says so. Collective;
/// to be called before anything else.
void set_up_simulation(MPI_Comm comm, const SimulatedMachine& machine, const SimulationJob& job);

}  // namespace shunt::bench
