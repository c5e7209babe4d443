#include "algorithms/allgather/leaders_phase.hpp"

#include <utility>

namespace shunt {

namespace {

std::vector<Rank> first_of_each(const RankLists& nodes) {
  std::vector<Rank> leaders;
  for (const std::vector<Rank>& node : nodes) leaders.push_back(node.front());
  return leaders;
}

}  // namespace

LeadersPhase::LeadersPhase(Rank ranks, const RankLists& nodes, std::unique_ptr<const Phase> between)
    : nodes_(ranks, nodes), leaders_(first_of_each(nodes)), between_(std::move(between)) {}

Lines LeadersPhase::leaders_of(Rank ranks, const RankLists& nodes) {
  return {ranks, {first_of_each(nodes)}};
}

std::string LeadersPhase::stage_name(int stage) const {
  return is_last(stage) ? "tell each node" : between_->stage_name(stage);
}

std::vector<Step> LeadersPhase::steps(int stage, Rank rank) const {
  if (!is_last(stage)) return between_->steps(stage, rank);
  const Rank leader = nodes_.rank_at(rank, 0);
  if (!leads(rank)) return {{nodes_.place(rank), kNoRank, leader}};
  std::vector<Step> steps;
  for (Rank place = 1; place < nodes_.size(rank); ++place) {
    steps.push_back({place, nodes_.rank_at(rank, place), kNoRank});
  }
  return steps;
}

int LeadersPhase::step_count(int stage) const {
  return is_last(stage) ? nodes_.longest() - 1 : between_->step_count(stage);
}

void LeadersPhase::origins(int stage, Rank rank, std::vector<Rank>& origins) const {
  if (stage == stages()) {
    origins.insert(origins.end(), leaders_.begin(), leaders_.end());
  } else if (!is_last(stage)) {
    // Who is alone on its line has nobody to pass anything on to.
    between_->origins(stage, rank, origins);
  } else if (leads(rank)) {
    for (const Rank leader : leaders_) {
      if (leader != rank) origins.push_back(leader);
    }
  }
}

Volumes LeadersPhase::volumes(int stage, const Volumes& held, const Volumes& before) const {
  if (stage < between_->stages()) return between_->volumes(stage, held, before);
  Bytes total = 0;
  for (const Rank leader : leaders_) total += held[static_cast<std::size_t>(leader)];
  if (stage == stages()) return Volumes(held.size(), total);
  Volumes volumes(held.size(), 0);
  for (const Rank leader : leaders_) {
    volumes[static_cast<std::size_t>(leader)] = total - held[static_cast<std::size_t>(leader)];
  }
  return volumes;
}

}  // namespace shunt
