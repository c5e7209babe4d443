#include "algorithms/alltoall/ring_along.hpp"

namespace shunt {

std::vector<TorusMove> RingAlong::moves(int stage, Rank rank, const RankBox& place) const {
  std::vector<TorusMove> moves;
  if (stage >= stages()) return moves;
  for (const auto& [distance, way, data] : rule_->moves(stage, place_of(rank))) {
    moves.push_back({dimension_, distance * stride_, way, data * place});
  }
  return moves;
}

void RingAlong::share_out(int stage, Rank at, Rank destination, Takers& takers) const {
  if (stage >= stages()) return takers.add(at, 1);
  const Rank ahead = torus_.ahead(at, destination, dimension_) / stride_;
  const Halves halves = rule_->halves(stage, place_of(at), ahead);
  takers.add(torus_.neighbour(at, dimension_, halves.first * stride_), 1);
  takers.add(torus_.neighbour(at, dimension_, halves.second * stride_), 1);
}

std::vector<RankBox> RingAlong::kept(int stage, const RankBox& place) const {
  std::vector<RankBox> kept{{size_ * place.sources, place.destinations}};
  if (stage < stages()) kept.push_back(rule_->waiting(stage) * place);
  return kept;
}

}  // namespace shunt
