// All configurations of one exchange on a simulated machine, compared in a table.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab/simulation/port_machine.hpp"
#include "lab/traffic/traffic.hpp"
#include "tools/common/table.hpp"
#include "tools/simulate/machine_ways.hpp"
#include "tools/simulate/simulated_times.hpp"
#include "tools/simulate/simulation.hpp"

namespace shunt {

struct ContestSettings {
  std::string pattern = "uniform";
  Bytes background = 1;
  int element = 1;
  std::uint64_t seed = 1;
  std::vector<std::string> algorithms;  ///< none: all
  std::vector<std::string> modes{"dual"};
  std::vector<std::string> forms{"plan"};
  std::vector<std::string> built_in;  ///< none: several
  Bytes grain = 512;
  int window = 0;        ///< messages; 0: by the number of ranks
  int warm_up = 1;       ///< one-shot calls by "auto" before the one that is timed
  bool fast = false;     ///< by the pure model
  bool at_once = false;  ///< in the pure model all of a stage is posted at once
  std::string timeline;  ///< the file for the pure model's timeline; empty: none
  Bytes memory = 2048;   ///< MiB of payload that may be real
};

/// The machine as the pure model sees it.
[[nodiscard]] PortMachine modelled_machine(const ContestSettings& settings,
                                           const OccupiedMachine& occupied);

/// Returns how many messages each of `ranks` ranks has under way in each direction.
[[nodiscard]] int window_of(const ContestSettings& settings, Rank ranks);

/// One traffic on one machine.
class MachineContest {
 public:
  /// The longest block has `maximum` elements. The settings and the machine outlive it.
  MachineContest(const ContestSettings& settings, const OccupiedMachine& occupied, Bytes maximum);

  void run(const Simulation& simulation);

  /// Computes the times by the pure model instead of running a simulation: step by step, or all at
  /// once if so set, and on a torus or mesh. Moves no data.
  void model();

  [[nodiscard]] std::string title() const;
  [[nodiscard]] Table table() const;
  [[nodiscard]] std::string verdict() const;
  [[nodiscard]] nlohmann::json json() const;

  [[nodiscard]] Bytes wrong_bytes() const { return times_.wrong_bytes(); }
  [[nodiscard]] const SimulatedTimes& times() const { return times_; }
  [[nodiscard]] bool is_verified() const { return !settings_.fast && !job_.folded; }

 private:
  /// Whether blocks are equal, and ranks so many that the model follows one of them alone.
  [[nodiscard]] bool is_even() const;
  [[nodiscard]] std::vector<bench::SimulatedWay> ways() const;
  [[nodiscard]] bool can_run(const std::string& algorithm, const std::string& form) const;

  const ContestSettings& settings_;
  const OccupiedMachine& occupied_;
  bench::SimulationJob job_;
  std::unique_ptr<Traffic> traffic_;
  SimulatedTimes times_;
  Bytes largest_ = 0;
  double bound_ = 0;
};

}  // namespace shunt
