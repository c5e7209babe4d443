// The options that name an algorithm, what it runs on, and a traffic.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "algorithms/algorithm.hpp"
#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic.hpp"
#include "model/machine.hpp"
#include "shunt/options.hpp"
#include "tools/common/options.hpp"

namespace shunt {

struct AlgorithmOptions {
  std::string algorithm = "four-stage";
  std::optional<Rank> ranks;
  std::string nodes;  ///< empty: every rank is one
  Bytes grain = Options{}.grain;

  void add_to(Command command);

  /// The nodes that were asked for; null if none were. Throws Error(argument) where neither these
  /// nor the ranks were given.
  [[nodiscard]] std::shared_ptr<const Machine> machine() const;

  /// Returns the algorithm that was asked for on `machine`, or without nodes where that is null.
  [[nodiscard]] std::unique_ptr<Algorithm> make(const Machine* machine) const;
};

struct TrafficOptions {
  std::string traffic;
  TrafficShape shape;
  Bytes element = 8;

  void add_to(Command command);

  /// Returns the traffic that was asked for on `ranks` ranks.
  [[nodiscard]] std::unique_ptr<Traffic> make(Rank ranks) const;
};

}  // namespace shunt
