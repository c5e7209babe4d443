// Exchanges, or all-gathers, of the same blocks on a simulated machine, one after another.
#pragma once

#include <functional>
#include <memory>

#include <mpi.h>

#include "lab/bench/simulation_job.hpp"
#include "lab/simulation/machine_file.hpp"
#include "shunt/shunt.hpp"

namespace shunt::bench {

class SimulatedContest {
 public:
  virtual ~SimulatedContest() = default;

  /// Collective, as are the other members.
  [[nodiscard]] static std::unique_ptr<SimulatedContest> make(MPI_Comm comm,
                                                              const SimulationJob& job);

  /// Makes the exchange once, and checks it: simulated seconds from the common start until the last
  /// rank is done.
  [[nodiscard]] double time(const SimulatedWay& way);

  /// Returns the exchanges that were made so far, and their wrong bytes on all ranks.
  [[nodiscard]] SimulationEnd end() const;

 protected:
  SimulatedContest(MPI_Comm comm, const SimulationJob& job)
      : communicator_(comm), comm_(comm), job_(job) {}

  [[nodiscard]] MPI_Comm comm() const { return comm_; }

  Communicator communicator_;

 private:
  [[nodiscard]] virtual std::function<void()> mpi_call(const std::string& name) = 0;
  [[nodiscard]] virtual Plan plan(const Options& options) = 0;
  virtual void run_once(const Options& options) = 0;

  /// Overwrites what was received.
  virtual void spoil() = 0;

  /// Received bytes that are not as they should be.
  [[nodiscard]] virtual Bytes wrong_bytes() const = 0;

  [[nodiscard]] double time_once(const std::function<void()>& run);

  MPI_Comm comm_;
  const SimulationJob& job_;
  SimulationEnd end_;
};

/// Has the machine charge start-ups and copies, and folds payloads if the job says so. Collective;
/// to be called before anything else.
void set_up_simulation(MPI_Comm comm, const SimulatedMachine& machine, const SimulationJob& job);

}  // namespace shunt::bench
