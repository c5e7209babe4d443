// Runs exchanges inside SimGrid's SMPI on a simulated machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/bench/simulation_job.hpp"
#include "lab/simulation/machine_file.hpp"
#include "tools/common/leftovers.hpp"

namespace shunt {

/// What a simulation answered.
struct SimulationResults {
  std::vector<bench::SimulatedTime> times;
  bench::SimulationEnd end;
};

/// A machine, its file, and the ranks on it.
struct OccupiedMachine {
  std::filesystem::path path;
  SimulatedMachine machine;
  Machine layout;
};

/// Returns the machine `name` (see `find_machine`) with `ranks` ranks, or all that it has, which
/// fill its nodes in order; or as `nodes` says, if it is not empty, like "4,4,2" (see
/// `read_node_layout`). A torus or a mesh has the extents `array` instead of its own, if that is
/// not empty. Throws Error(argument) where it has not these ranks.
[[nodiscard]] OccupiedMachine occupy_machine(const std::string& name, std::optional<Rank> ranks,
                                             const std::string& nodes,
                                             const std::string& array = "");

/// Why nothing can be simulated here: that SMPI, or what runs inside it, is not installed, in a
/// sentence. Empty where all is there.
[[nodiscard]] std::string why_not_simulated();

class Simulation {
 public:
  /// Throws Error(argument) where SMPI, or what runs inside it, is not installed.
  explicit Simulation(const OccupiedMachine& occupied);

  /// Makes the job's exchanges one after another; the job's paths are filled in here. `built_in` is
  /// what SMPI does in MPI's own collectives ("alltoallv:pair"), or empty. Throws
  /// Error(communication) where the simulation fails.
  [[nodiscard]] SimulationResults run(bench::SimulationJob job, const std::string& built_in) const;

 private:
  void write_machine(const OccupiedMachine& occupied) const;
  [[nodiscard]] std::vector<std::string> command(const std::string& built_in) const;
  [[nodiscard]] SimulationResults read_results(const std::string& what) const;

  [[nodiscard]] std::filesystem::path linked(const std::filesystem::path& file) const;

  TemporaryFolder folder_;  ///< the first: names of others are in it
  Rank ranks_;
  std::string torus_;  ///< extents that the ranks are given, unless the caller sets others
  std::filesystem::path program_;
  std::filesystem::path platform_;
  std::filesystem::path smpirun_;
  std::filesystem::path machine_path_;
};

/// The file of a machine: `name` itself if it is one or names a folder, or that name in the library
/// of machines. Throws Error(argument) if there is none.
[[nodiscard]] std::filesystem::path find_machine(const std::string& name);

/// All machines of the library, by name.
[[nodiscard]] std::vector<SimulatedMachine> machine_library();

}  // namespace shunt
