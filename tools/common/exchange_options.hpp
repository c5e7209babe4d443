// The options that name an algorithm, what it runs on, and a traffic.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "algorithms/algorithm.hpp"
#include "lab/traffic/patterns.hpp"
#include "model/machine.hpp"
#include "model/traffic.hpp"
#include "shunt/options.hpp"
#include "tools/common/options.hpp"

namespace shunt {

struct AlgorithmOptions {
  std::string algorithm = "a4";
  std::optional<Rank> ranks;
  std::string nodes;  ///< empty: every rank is one
  Bytes grain = Options{}.grain;

  void add_to(Command command);

  /// The nodes that were asked for; null if none were. Throws Error(argument) where neither these
  /// nor the ranks were given.
  [[nodiscard]] std::shared_ptr<const Machine> machine() const;

  /// The algorithm on that machine.
  [[nodiscard]] std::unique_ptr<Algorithm> make(const Machine* machine) const;
};

struct TrafficOptions {
  std::string traffic;
  TrafficShape shape;
  Bytes element = 8;

  void add_to(Command command);

  /// That traffic on so many ranks.
  [[nodiscard]] std::unique_ptr<Traffic> make(Rank ranks) const;
};

}  // namespace shunt
