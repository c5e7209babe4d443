#include "algorithms/alltoall/torus_exchange.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "algorithms/alltoall/whole_streams.hpp"
#include "schedule/proportional_cut.hpp"
#include "shunt/error.hpp"

namespace shunt {

void Takers::add(Rank to, Bytes share) {
  if (share == 0) return;
  total_ += share;
  for (std::size_t i = 0; i < count_; ++i) {
    if (takers_[i].to != to) continue;
    takers_[i].share += share;
    return;
  }
  takers_[count_++] = {to, share};
}

void Takers::cut(Bytes length, Bytes turn, Bytes grain, std::vector<Piece>& pieces) const {
  if (count_ == 1) {
    pieces.push_back({takers_[0].to, 0, length});
    return;
  }
  const ProportionalCut cut(length, total_, turn % total_, grain);
  Bytes begin = 0;
  Bytes shares = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    shares += takers_[i].share;
    const Bytes end = cut.end_of(shares);
    if (end > begin) pieces.push_back({takers_[i].to, begin, end});
    begin = end;
  }
}

TorusExchange::TorusExchange(std::string name, Extents torus, Bytes grain)
    : name_(std::move(name)), torus_(std::move(torus)), grain_(grain) {
  if (grain < 1) {
    throw Error(ErrorKind::argument, fmt::format("the grain is {}, not positive", grain));
  }
}

std::vector<Step> TorusExchange::steps(int stage, Rank rank) const {
  std::vector<Step> steps;
  int number = 0;
  for (const TorusMove& move : moves(stage, rank)) {
    steps.push_back({++number, torus_.neighbour(rank, move.dimension, move.distance),
                     torus_.neighbour(rank, move.dimension, -move.distance)});
  }
  steps.push_back({number + 1, rank, rank});
  return steps;
}

int TorusExchange::step_count(int stage) const {
  std::size_t most = moves(stage, 0).size();
  if (ranks() > 1) most = std::max(most, moves(stage, 1).size());
  return static_cast<int>(most) + 1;
}

void TorusExchange::route(int stage, Rank at, Rank destination, Bytes length,
                          std::vector<Piece>& pieces) const {
  if (length == 0) return;
  Takers takers;
  share_out(stage, at, destination, takers);
  if (takers.empty()) {
    throw Error(ErrorKind::internal, fmt::format("{} has data for rank {} at rank {} in stage {}",
                                                 name_, destination, at, stage + 1));
  }
  takers.cut(length, Bytes{destination} + stage, grain_, pieces);
}

RecordRule TorusExchange::record_rule(int stage, Rank at) const {
  RecordRule rule;
  std::vector<Piece> pieces;
  for (Rank destination = 0; destination < ranks(); ++destination) {
    Takers takers;
    share_out(stage, at, destination, takers);
    pieces.clear();
    if (!takers.empty()) takers.cut(1, Bytes{destination} + stage, grain_, pieces);
    rule.to.push_back(pieces.empty() ? kNoRank : pieces.front().to);
  }
  return rule;
}

Way TorusExchange::way_round(int stage, Rank from, Rank to) const {
  for (const TorusMove& move : moves(stage, from)) {
    if (torus_.neighbour(from, move.dimension, move.distance) == to) return move.way;
  }
  return Way::both;
}

StageBound TorusExchange::bound(int stage, Rank rank, const TrafficBound& traffic) const {
  StageBound bound{1, 0, 0};
  auto most = [&](const RankBox& data) {
    return largest_box(traffic, std::min(data.sources, Bytes{ranks()}),
                       std::min(data.destinations, Bytes{ranks()}));
  };
  auto enter = [&](Bytes message) {
    bound.longest_message = std::max(bound.longest_message, message);
    bound.load += message;
  };
  const std::vector<TorusMove> own = moves(stage, rank);
  for (std::size_t k = 0; k < own.size(); ++k) {
    const Rank from = torus_.neighbour(rank, own[k].dimension, -own[k].distance);
    enter(most(moves(stage, from)[k].data));
    ++bound.messages;
  }
  Bytes to_itself = 0;
  for (const RankBox& data : kept(stage, rank)) to_itself += most(data);
  enter(to_itself);
  const Bytes all = largest_box(traffic, ranks(), ranks());
  return {bound.messages, std::min(bound.longest_message, all), std::min(bound.load, all)};
}

double TorusExchange::predict(const Loads& loads, const LinkCost& cost) const {
  const auto load = static_cast<double>(loads.bound().largest_load);
  double seconds = 0;
  for (int stage = 0; stage < stages(); ++stage) {
    seconds += step_count(stage) * cost.start_up + load * (cost.per_byte + cost.copy);
  }
  return seconds;
}

}  // namespace shunt
