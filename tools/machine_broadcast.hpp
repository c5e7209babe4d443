// All ways to make one broadcast from many sources on a simulated machine, beside each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "algorithms/surroundings.hpp"
#include "machine_contest.hpp"
#include "simulated_times.hpp"

namespace shunt {

/// Which ranks have a block for everyone.
struct BroadcastChoice {
  Rank sources = 0;  ///< 0: no broadcast is asked for
  std::string distribution = "equal";
  std::string array;  ///< "4x30"; empty: the machine's, or nearly square
  std::vector<Bytes> lengths{1024};

  /// Returns the option that asks for a broadcast.
  CLI::Option* add_to(CLI::App& command);

  [[nodiscard]] bool is_made() const { return sources > 0; }
};

/// One length on one machine.
class MachineBroadcast {
 public:
  /// Throws Error(argument) where something is wrong with the choice, or with the algorithms or
  /// built-in ones in `settings`.
  MachineBroadcast(const ContestSettings& settings, const BroadcastChoice& choice,
                   const OccupiedMachine& occupied, Bytes length);

  void run(const Simulation& simulation) { times_.run(simulation, job_, built_in_); }

  /// By the pure model instead, as `MachineContest::model`.
  void model();

  [[nodiscard]] std::string title() const;
  [[nodiscard]] Table table() const { return times_.table(std::nullopt); }
  [[nodiscard]] std::string verdict() const;
  [[nodiscard]] nlohmann::json json() const;

  [[nodiscard]] Bytes wrong_bytes() const { return times_.wrong_bytes(); }

 private:
  const ContestSettings& settings_;
  const BroadcastChoice& choice_;
  const OccupiedMachine& occupied_;
  Surroundings surroundings_;
  std::string array_;
  bench::SimulationJob job_;
  std::vector<std::string> built_in_;
  SimulatedTimes times_;
};

}  // namespace shunt
