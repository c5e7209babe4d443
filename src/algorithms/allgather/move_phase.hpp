// Sources that hand all they hold to another rank: a permutation, or gathering.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "algorithms/allgather/phase.hpp"

namespace shunt {

/// A phase in which rank r hands what it holds to target[r], and is left with nothing. A rank that
/// is its own target keeps what it holds; the target kNoRank is for a rank that holds nothing.
/// Ranks with one target send to it one after the other, in their order.
class MovePhase final : public Phase {
 public:
  MovePhase(std::vector<Rank> target, std::string name);

  [[nodiscard]] int stages() const override { return 1; }
  [[nodiscard]] std::string stage_name(int /*stage*/) const override { return name_; }
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override;
  [[nodiscard]] int step_count(int /*stage*/) const override { return step_count_; }
  void origins(int stage, Rank rank, std::vector<Rank>& origins) const override;

 private:
  [[nodiscard]] Rank target(Rank rank) const { return target_[static_cast<std::size_t>(rank)]; }

  std::vector<Rank> target_;
  std::vector<std::pair<Rank, Rank>> moves_;  ///< target and sender, ascending; no one to itself
  std::vector<int> turn_;                     ///< by rank: the step in which it sends
  int step_count_ = 0;
  std::string name_;
};

}  // namespace shunt
