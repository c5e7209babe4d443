#include <algorithm>

#include <fmt/format.h>

#include "algorithms/allgather/allgathers.hpp"
#include "algorithms/allgather/phased.hpp"

namespace shunt {

namespace {

/// In each stage every rank hands the next one what it received in the stage before, first its own.
class RingPhase final : public Phase {
 public:
  explicit RingPhase(Rank ranks) : ranks_(ranks) {}

  [[nodiscard]] int stages() const override { return ranks_ - 1; }
  [[nodiscard]] std::string stage_name(int stage) const override {
    return fmt::format("hand on, {}", stage + 1);
  }
  [[nodiscard]] std::vector<Step> steps(int /*stage*/, Rank rank) const override {
    return {{1, back(rank, -1), back(rank, 1)}};
  }
  [[nodiscard]] int step_count(int /*stage*/) const override { return 1; }

  void origins(int stage, Rank rank, std::vector<Rank>& origins) const override {
    if (stage < stages()) {
      origins.push_back(back(rank, stage));
      return;
    }
    for (Rank origin = 0; origin < ranks_; ++origin) origins.push_back(origin);
  }

  /// Whatever else there is, the longest block is handed on in each stage.
  [[nodiscard]] double predict(Volumes& held, const LinkCost& cost) const override {
    const Bytes longest = *std::ranges::max_element(held);
    give_all_to_all(held);
    if (longest == 0) return 0;
    return stages() * (cost.start_up + static_cast<double>(longest) * cost.per_byte);
  }

 private:
  [[nodiscard]] Rank back(Rank rank, Rank distance) const {
    return static_cast<Rank>((Bytes{rank} - distance + ranks_) % ranks_);
  }

  Rank ranks_;
};

}  // namespace

std::unique_ptr<Allgather> make_ring(Sources sources) {
  Phases phases;
  phases.push_back(std::make_unique<RingPhase>(sources.ranks()));
  return std::make_unique<PhasedAllgather>("ring", std::move(sources), std::move(phases));
}

}  // namespace shunt
