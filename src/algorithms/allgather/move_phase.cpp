#include "algorithms/allgather/move_phase.hpp"

#include <algorithm>
#include <ranges>

namespace shunt {

MovePhase::MovePhase(std::vector<Rank> target, std::string name)
    : target_(std::move(target)), turn_(target_.size(), 0), name_(std::move(name)) {
  std::vector<int> taken(target_.size(), 0);
  for (Rank rank = 0; rank < static_cast<Rank>(target_.size()); ++rank) {
    if (this->target(rank) == kNoRank || this->target(rank) == rank) continue;
    moves_.emplace_back(this->target(rank), rank);
    const int turn = ++taken[static_cast<std::size_t>(this->target(rank))];
    turn_[static_cast<std::size_t>(rank)] = turn;
    step_count_ = std::max(step_count_, turn);
  }
  std::ranges::sort(moves_);
}

std::vector<Step> MovePhase::steps(int /*stage*/, Rank rank) const {
  std::vector<Step> steps;
  for (const auto& [to, from] :
       std::ranges::equal_range(moves_, rank, {}, &std::pair<Rank, Rank>::first)) {
    steps.push_back({turn_[static_cast<std::size_t>(from)], kNoRank, from});
  }
  const int turn = turn_[static_cast<std::size_t>(rank)];
  if (turn == 0) return steps;
  const auto place = std::ranges::lower_bound(steps, turn, {}, &Step::number);
  if (place != steps.end() && place->number == turn) {
    place->to = target(rank);
  } else {
    steps.insert(place, {turn, target(rank), kNoRank});
  }
  return steps;
}

void MovePhase::origins(int stage, Rank rank, std::vector<Rank>& origins) const {
  if (stage == 0 || target(rank) == rank) origins.push_back(rank);
  if (stage == 0) return;
  for (const auto& [to, from] :
       std::ranges::equal_range(moves_, rank, {}, &std::pair<Rank, Rank>::first)) {
    origins.push_back(from);
  }
}

}  // namespace shunt
