#include "algorithms/alltoall/ring_along.hpp"

namespace shunt {

std::vector<TorusMove> RingAlong::moves(int stage, Rank rank, const RankBox& place) const {
  std::vector<TorusMove> moves;
  if (stage >= stages()) return moves;
  for (const RingMove& move : rule_->moves(stage, place_of(rank))) {
    const RingBox box = rule_->message(stage, place_of(rank), move.distance);
    moves.push_back({dimension_,
                     move.distance * stride_,
                     move.way,
                     {box.sources * place.sources, box.destinations * place.destinations}});
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
  if (stage < stages()) {
    const RingBox waiting = rule_->waiting(stage);
    kept.push_back({waiting.sources * place.sources, waiting.destinations * place.destinations});
  }
  return kept;
}

}  // namespace shunt
