// What an algorithm may ask about the place where it is to run.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "model/machine.hpp"

namespace shunt {

/// Finds out where the ranks are. Nothing is asked but by the algorithms that depend on it.
struct Surroundings {
  /// Which ranks share a node.
  std::function<std::shared_ptr<const Machine>()> machine;
  /// Which torus the ranks are, if anything says so.
  std::function<std::optional<Extents>()> torus = [] { return std::nullopt; };

  /// The flat network of the papers: every rank is a node of its own.
  [[nodiscard]] static Surroundings flat(Rank ranks) {
    return {[ranks] { return std::make_shared<const Machine>(Machine::blocked(ranks, 1)); }};
  }
  [[nodiscard]] static Surroundings known(const Machine& machine) {
    return {[machine] { return std::make_shared<const Machine>(machine); }};
  }
};

}  // namespace shunt
