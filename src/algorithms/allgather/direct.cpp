#include <algorithm>
#include <bit>

#include "algorithms/allgather/allgathers.hpp"
#include "algorithms/allgather/direct_phase.hpp"
#include "algorithms/allgather/phased.hpp"

namespace shunt {

std::vector<Step> DirectPhase::steps(int /*stage*/, Rank rank) const {
  const Rank size = lines_.size(rank);
  const Rank place = lines_.place(rank);
  const bool pairs = std::has_single_bit(static_cast<std::uint32_t>(size));
  std::vector<Step> steps;
  for (Rank k = 1; k < size; ++k) {
    const Rank to = pairs ? place ^ k : (place < size - k ? place + k : place - (size - k));
    const Rank from = pairs ? place ^ k : (place < k ? place - k + size : place - k);
    steps.push_back({k, lines_.rank_at(rank, to), lines_.rank_at(rank, from)});
  }
  return steps;
}

void DirectPhase::origins(int stage, Rank rank, std::vector<Rank>& origins) const {
  if (stage == 0) {
    origins.push_back(rank);
    return;
  }
  for (Rank place = 0; place < lines_.size(rank); ++place) {
    origins.push_back(lines_.rank_at(rank, place));
  }
}

double DirectPhase::predict(Volumes& held, const LinkCost& cost) const {
  double seconds = 0;
  Volumes sums(held.size(), 0);  // by the first rank of the line
  for (std::size_t rank = 0; rank < held.size(); ++rank) {
    const auto me = static_cast<Rank>(rank);
    sums[static_cast<std::size_t>(lines_.rank_at(me, 0))] += held[rank];
    if (held[rank] == 0) continue;
    const double message = cost.start_up + static_cast<double>(held[rank]) * cost.per_byte;
    seconds = std::max(seconds, (lines_.size(me) - 1) * message);
  }
  for (std::size_t rank = 0; rank < held.size(); ++rank) {
    held[rank] = sums[static_cast<std::size_t>(lines_.rank_at(static_cast<Rank>(rank), 0))];
  }
  return seconds;
}

std::unique_ptr<Allgather> make_direct(Sources sources) {
  Phases phases;
  phases.push_back(
      std::make_unique<DirectPhase>(Lines::row_major(sources.ranks()), "to each rank"));
  return std::make_unique<PhasedAllgather>("direct", std::move(sources), std::move(phases));
}

}  // namespace shunt
