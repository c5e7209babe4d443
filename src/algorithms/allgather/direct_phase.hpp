// Each rank of a line sends to each other one, in one stage.
#pragma once

#include <string>
#include <utility>

#include "algorithms/allgather/lines.hpp"
#include "algorithms/allgather/phase.hpp"

namespace shunt {

/// Each rank sends what it holds to each other one of its line: in step k, place i to i XOR k where
/// the line has 2^n ranks, otherwise to i + k.
class DirectPhase final : public Phase {
 public:
  DirectPhase(Lines lines, std::string name) : lines_(std::move(lines)), name_(std::move(name)) {}

  [[nodiscard]] int stages() const override { return 1; }
  [[nodiscard]] std::string stage_name(int /*stage*/) const override { return name_; }
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override;
  [[nodiscard]] int step_count(int /*stage*/) const override { return lines_.longest() - 1; }
  void origins(int stage, Rank rank, std::vector<Rank>& origins) const override;
  /// The seconds that the longest block keeps its source busy, on the line where that is longest.
  [[nodiscard]] double predict(Volumes& held, const LinkCost& cost) const override;
  [[nodiscard]] bool spreads_in_nodes(int /*stage*/) const override { return true; }

 private:
  Lines lines_;
  std::string name_;
};

}  // namespace shunt
