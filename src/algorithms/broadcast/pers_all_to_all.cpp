#include <algorithm>
#include <bit>

#include "algorithms/broadcast/broadcasts.hpp"
#include "algorithms/broadcast/phased.hpp"

namespace shunt {

namespace {

/// Each rank sends what it holds to each other one, in one stage: in step k, rank i to i XOR k
/// where there are 2^n ranks, otherwise to i + k.
class DirectPhase final : public Phase {
 public:
  explicit DirectPhase(Rank ranks) : ranks_(ranks) {}

  [[nodiscard]] int stages() const override { return 1; }
  [[nodiscard]] std::string stage_name(int /*stage*/) const override { return "to each rank"; }

  [[nodiscard]] std::vector<Step> steps(int /*stage*/, Rank rank) const override {
    const bool pairs = std::has_single_bit(static_cast<std::uint32_t>(ranks_));
    std::vector<Step> steps;
    for (Rank k = 1; k < ranks_; ++k) {
      const Rank to = pairs ? rank ^ k : (rank < ranks_ - k ? rank + k : rank - (ranks_ - k));
      const Rank from = pairs ? rank ^ k : (rank < k ? rank - k + ranks_ : rank - k);
      steps.push_back({k, to, from});
    }
    return steps;
  }

  [[nodiscard]] int step_count(int /*stage*/) const override { return ranks_ - 1; }

  void origins(int stage, Rank rank, std::vector<Rank>& origins) const override {
    if (stage == 0) {
      origins.push_back(rank);
      return;
    }
    for (Rank origin = 0; origin < ranks_; ++origin) origins.push_back(origin);
  }

  /// As long as the longest block keeps its source busy.
  [[nodiscard]] double predict(Volumes& held, const LinkCost& cost) const override {
    const Bytes longest = *std::ranges::max_element(held);
    give_all_to_all(held);
    if (longest == 0) return 0;
    return (ranks_ - 1) * (cost.start_up + static_cast<double>(longest) * cost.per_byte);
  }

 private:
  Rank ranks_;
};

}  // namespace

std::unique_ptr<Broadcast> make_pers_all_to_all(Sources sources) {
  Phases phases;
  phases.push_back(std::make_unique<DirectPhase>(sources.ranks()));
  return std::make_unique<PhasedBroadcast>("pers-all-to-all", std::move(sources),
                                           std::move(phases));
}

}  // namespace shunt
