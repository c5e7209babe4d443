#include <algorithm>

#include <fmt/format.h>

#include "algorithms/allgather/allgathers.hpp"
#include "algorithms/allgather/phased.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// On a ring of an even number of ranks: each exchanges with its two neighbours in turn, first its
/// own, then the two blocks of its pair, and from then on the two that it received last.
class NeighbourPhase final : public Phase {
 public:
  explicit NeighbourPhase(Rank ranks) : ranks_(ranks) {}

  [[nodiscard]] int stages() const override { return ranks_ / 2; }
  [[nodiscard]] std::string stage_name(int stage) const override {
    return fmt::format("exchange with a neighbour, {}", stage + 1);
  }
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override {
    const bool upwards = (rank + stage) % 2 == 0;
    const Rank neighbour = (rank + (upwards ? 1 : ranks_ - 1)) % ranks_;
    return {{1, neighbour, neighbour}};
  }
  [[nodiscard]] int step_count(int /*stage*/) const override { return 1; }

  void origins(int stage, Rank rank, std::vector<Rank>& origins) const override {
    if (stage == 0) {
      origins.push_back(rank);
    } else if (stage < stages()) {
      // The pairs 2j, 2j + 1 that an even rank hands on lie 0, -1, 1, -2, 2, .. pairs further than
      // its own, those of an odd one the other way.
      const Rank pairs = ranks_ / 2;
      const Rank aside = stage % 2 == 0 ? -(stage / 2) : stage / 2;
      const Rank pair = (rank / 2 + (rank % 2 == 0 ? aside : -aside) + pairs) % pairs;
      origins.insert(origins.end(), {2 * pair, 2 * pair + 1});
    } else {
      for (Rank origin = 0; origin < ranks_; ++origin) origins.push_back(origin);
    }
  }

  /// Whatever else there is, the pair that has most to send is handed on in each stage.
  [[nodiscard]] double predict(Volumes& held, const LinkCost& cost) const override {
    Bytes most = 0;
    for (std::size_t even = 0; even < held.size(); even += 2) {
      most = std::max(most, held[even] + held[even + 1]);
    }
    const Bytes longest = *std::ranges::max_element(held);
    give_all_to_all(held);
    if (most == 0) return 0;
    return stages() * cost.start_up +
           (static_cast<double>(longest) + (stages() - 1) * static_cast<double>(most)) *
               cost.per_byte;
  }

 private:
  Rank ranks_;
};

}  // namespace

std::unique_ptr<Allgather> make_neighbour_exchange(Sources sources) {
  if (sources.ranks() % 2 != 0) {
    throw Error(ErrorKind::argument,
                fmt::format("neighbour-exchange runs on an even number of ranks, not on {}; "
                            "ring runs on any number",
                            sources.ranks()));
  }
  Phases phases;
  phases.push_back(std::make_unique<NeighbourPhase>(sources.ranks()));
  return std::make_unique<PhasedAllgather>("neighbour-exchange", std::move(sources),
                                           std::move(phases));
}

}  // namespace shunt
