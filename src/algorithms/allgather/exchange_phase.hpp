// Two groups of ranks that exchange all that they hold.
#pragma once

#include <vector>

#include "algorithms/allgather/phase.hpp"

namespace shunt {

/// Every rank of the first group exchanges what it holds with one of the second, the one in the
/// same place; within a group all hold the same. Where the first group is larger, the others of it
/// hear from the second in one more step.
class ExchangePhase final : public Phase {
 public:
  /// The groups together are all ranks; the first is not the smaller one, the second not empty.
  ExchangePhase(std::vector<Rank> first, std::vector<Rank> second);

  [[nodiscard]] int stages() const override { return 1; }
  [[nodiscard]] std::string stage_name(int /*stage*/) const override {
    return "exchange between the halves";
  }
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override;
  [[nodiscard]] int step_count(int stage) const override;
  void origins(int stage, Rank rank, std::vector<Rank>& origins) const override;

 private:
  std::vector<Rank> first_;
  std::vector<Rank> second_;
  std::vector<Rank> place_;  ///< by rank: in its group
  std::vector<bool> is_in_first_;
};

}  // namespace shunt
