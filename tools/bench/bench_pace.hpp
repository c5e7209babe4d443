// How often the benches of exchanges and of all-gathers do what they time.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "lab/bench/contest.hpp"
#include "tools/common/options.hpp"
#include "tools/common/warm_up.hpp"

namespace shunt {

struct BenchPace {
  int warm_up = kUsualWarmUp;
  int batch = 1;
  int rounds = 20;

  /// Adds the options of the pace to a command; `plural` names what is timed, as "Exchanges".
  void add_to(Command command, const std::string& plural);

  void apply_to(bench::ContestOptions& options) const;

  void write_to(nlohmann::json& report) const;

  /// The lines that say what a time is.
  [[nodiscard]] std::string legend() const;
};

}  // namespace shunt
