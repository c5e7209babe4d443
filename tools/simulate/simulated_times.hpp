// How long configurations of one exchange, or all-gather, take on a simulated machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shunt/types.hpp"
#include "tools/common/table.hpp"
#include "tools/simulate/simulation.hpp"

namespace shunt {

class SimulatedTimes {
 public:
  /// The form of SMPI's own algorithms.
  static constexpr const char* kBuiltIn = "built-in";

  /// Runs the job's configurations, and those that SMPI has built in ("alltoallv:ring").
  void run(const Simulation& simulation, bench::SimulationJob job,
           const std::vector<std::string>& built_in);

  /// Adds a time that was found by other means.
  void add(const bench::SimulatedTime& time) { times_.push_back(time); }

  /// The fastest first. With `bound`, the seconds that the links need at least, a column for it.
  [[nodiscard]] Table table(std::optional<double> bound) const;

  [[nodiscard]] std::string verdict(bool verified, const std::string& what) const;

  [[nodiscard]] std::size_t size() const { return times_.size(); }

  /// Returns the times in the order in which they were added; those of SMPI's own algorithms have
  /// the form kBuiltIn.
  [[nodiscard]] const std::vector<bench::SimulatedTime>& all() const { return times_; }

  /// Exchanges and broadcasts that SMPI has made.
  [[nodiscard]] Bytes runs() const { return runs_; }

  [[nodiscard]] Bytes wrong_bytes() const { return wrong_; }

 private:
  [[nodiscard]] double best_built_in() const;
  void add(const SimulationResults& results, const std::string& built_in);

  std::vector<bench::SimulatedTime> times_;
  Bytes runs_ = 0;
  Bytes wrong_ = 0;
};

}  // namespace shunt
