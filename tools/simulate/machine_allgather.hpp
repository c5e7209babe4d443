// All configurations of one broadcast from many sources on a simulated machine, compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/surroundings.hpp"
#include "model/machine.hpp"
#include "model/sources.hpp"
#include "tools/common/options.hpp"
#include "tools/simulate/machine_contest.hpp"
#include "tools/simulate/simulated_times.hpp"

namespace shunt {

/// Which ranks have a block for all ranks.
struct AllgatherChoice {
  std::string sources;  ///< "30", or one of a trace: "calls.shunt#2"; empty: none is asked for
  std::optional<std::string> distribution;  ///< nothing: "equal", or what the trace has
  std::string array;                        ///< "4x30"; empty: the machine's, or nearly square
  std::vector<Bytes> given;                 ///< lengths; none: 1024, or those of the trace

  /// Returns the option that asks for an all-gather.
  Option add_to(Command command);

  [[nodiscard]] bool is_made() const { return !sources.empty(); }
  [[nodiscard]] bool is_recorded() const;

  /// Returns the lengths of blocks to simulate, one for each all-gather; a recorded all-gather
  /// ignores its length. Throws Error(argument) where something is given that a recorded one has
  /// itself.
  [[nodiscard]] std::vector<Bytes> lengths() const;

  /// The blocks on the ranks of `on`, of `length` bytes unless they are recorded. Throws
  /// Error(argument) where these ranks have no such blocks, Error(file) as `read_trace_sources`.
  [[nodiscard]] Sources make(const Extents& on, std::uint64_t seed, Bytes length) const;
};

/// One all-gather on one machine.
class MachineAllgather {
 public:
  /// Throws Error(argument) where something is wrong with the choice, or with the algorithms or
  /// built-in ones in `settings`.
  /// The arguments outlive it.
  MachineAllgather(const ContestSettings& settings, const AllgatherChoice& choice,
                   const OccupiedMachine& occupied, Bytes length);

  void run(const Simulation& simulation) { times_.run(simulation, job_, built_in_); }

  /// Computes the times by the pure model instead of running a simulation, as
  /// `MachineContest::model` does.
  void model();

  [[nodiscard]] std::string title() const;
  [[nodiscard]] Table table() const { return times_.table(std::nullopt); }
  [[nodiscard]] std::string verdict() const;
  [[nodiscard]] nlohmann::json json() const;

  [[nodiscard]] Bytes wrong_bytes() const { return times_.wrong_bytes(); }
  [[nodiscard]] const SimulatedTimes& times() const { return times_; }
  [[nodiscard]] bool is_verified() const { return !settings_.fast && !job_.folded; }

 private:
  const ContestSettings& settings_;
  const AllgatherChoice& choice_;
  const OccupiedMachine& occupied_;
  Surroundings surroundings_;
  Extents array_;
  Sources sources_;
  bench::SimulationJob job_;
  std::vector<std::string> built_in_;
  SimulatedTimes times_;
};

}  // namespace shunt
