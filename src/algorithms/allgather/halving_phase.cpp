#include "algorithms/allgather/halving_phase.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "schedule/halving.hpp"

namespace shunt {

int HalvingPhase::stages() const { return Halving(lines_.longest()).stages(); }

std::string HalvingPhase::stage_name(int stage) const {
  return fmt::format("halve {}, {}", where_, stage + 1);
}

std::vector<Step> HalvingPhase::steps(int stage, Rank rank) const {
  std::vector<Step> steps = Halving(lines_.size(rank)).steps(stage, lines_.place(rank));
  rename_ends(steps, [&](Rank place) { return lines_.rank_at(rank, place); });
  return steps;
}

int HalvingPhase::step_count(int stage) const {
  int count = 0;
  for (const Rank size : lines_.sizes()) count = std::max(count, Halving(size).step_count(stage));
  return count;
}

void HalvingPhase::origins(int stage, Rank rank, std::vector<Rank>& origins) const {
  const auto first = static_cast<std::ptrdiff_t>(origins.size());
  Halving(lines_.size(rank)).origins(stage, lines_.place(rank), origins);
  for (auto origin = origins.begin() + first; origin != origins.end(); ++origin) {
    *origin = lines_.rank_at(rank, *origin);
  }
}

Volumes HalvingPhase::volumes(int stage, const Volumes& held, const Volumes& before) const {
  if (stage == 0) return held;
  Volumes now = before;
  for (std::size_t rank = 0; rank < held.size(); ++rank) {
    for (const Step& step : steps(stage - 1, static_cast<Rank>(rank))) {
      if (step.from != kNoRank) now[rank] += before[static_cast<std::size_t>(step.from)];
    }
  }
  return now;
}

}  // namespace shunt
