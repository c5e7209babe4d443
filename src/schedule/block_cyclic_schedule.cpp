#include "schedule/block_cyclic_schedule.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "model/block_cyclic.hpp"
#include "model/modular.hpp"
#include "schedule/edge_colouring.hpp"

namespace shunt {

namespace {

Index period_of(const Dealing& from, const Dealing& to) {
  return std::gcd(block_stride(from.places, from.block), block_stride(to.places, to.block));
}

Index ceiling(Index a, Index b) { return (a + b - 1) / b; }

}  // namespace

BlockCyclicSchedule::Side BlockCyclicSchedule::side(const Dealing& dealing, Index period) {
  const Index alike = std::gcd(dealing.block, period);
  const Index turn = period / alike;
  return {dealing.places, dealing.block, alike, 0, turn, dealing.places / turn};
}

BlockCyclicSchedule::BlockCyclicSchedule(const Dealing& from, const Dealing& to, Index shift)
    : from_(side(from, period_of(from, to))),
      to_(side(to, period_of(from, to))),
      shift_(shift),
      period_(from_.alike * from_.turn),
      apart_(std::gcd(from_.alike, to_.alike)),
      least_(1 - to.block + modulo(shift + to.block - 1, apart_)),
      classes_((from.block - 1 - least_) / apart_ + 1) {
  from_.classes = from_.alike / apart_;
  to_.classes = to_.alike / apart_;
  rule_ = choose_rule();
  const Index of_receiver = from_.companions * ceiling(classes_, from_.classes);
  const Index of_sender = to_.companions * ceiling(classes_, to_.classes);
  step_count_ = rule_ == Rule::everybody ? std::max(from.places, to.places)
                                         : static_cast<int>(std::max(of_sender, of_receiver));
  if (rule_ == Rule::coloured) colour_classes();
}

BlockCyclicSchedule::Rule BlockCyclicSchedule::choose_rule() const {
  if (from_.block + to_.block - 1 >= period_) return Rule::everybody;
  const bool against = (from_.classes <= to_.classes && from_.companions >= to_.companions) ||
                       (from_.classes >= to_.classes && from_.companions <= to_.companions);
  if (against) return Rule::grid;
  return std::min(from_.classes, to_.classes) == 1 ? Rule::list : Rule::coloured;
}

bool BlockCyclicSchedule::meet(Rank sender, Rank receiver) const {
  const Index apart = receiver * to_.block - sender * from_.block + shift_;
  return modulo(apart + to_.block - 1, period_) < from_.block + to_.block - 1;
}

template <class Visit>
void BlockCyclicSchedule::for_each_met(const Side& other, Index begin, int sign,
                                       Visit&& visit) const {
  const Index target = begin - sign * shift_;
  const Index inverse = inverse_modulo(other.block / other.alike, other.turn);
  Index delta = least_ + modulo(-sign * target - least_, other.alike);
  for (; delta < from_.block; delta += other.alike) {
    const Index number = modulo((target + sign * delta) / other.alike, other.turn);
    const Index first = product_modulo(number, inverse, other.turn);
    for (Index place = first; place < other.places; place += other.turn) {
      visit((delta - least_) / apart_, static_cast<Rank>(place));
    }
  }
}

std::vector<Step> BlockCyclicSchedule::sends(Rank sender) const {
  std::vector<Step> steps;
  if (rule_ == Rule::everybody) {
    for (Rank to = 0; to < to_.places; ++to) {
      steps.push_back({(sender + to) % step_count_ + 1, to, kNoRank});
    }
  } else {
    for_each_met(to_, sender * from_.block, 1, [&](Index q, Rank to) {
      steps.push_back({step_of(q, sender / from_.turn, to / to_.turn), to, kNoRank});
    });
  }
  std::ranges::sort(steps, {}, &Step::number);
  return steps;
}

std::vector<Step> BlockCyclicSchedule::receives(Rank receiver) const {
  std::vector<Step> steps;
  if (rule_ == Rule::everybody) {
    for (Rank from = 0; from < from_.places; ++from) {
      steps.push_back({(from + receiver) % step_count_ + 1, kNoRank, from});
    }
  } else {
    for_each_met(from_, receiver * to_.block, -1, [&](Index q, Rank from) {
      steps.push_back({step_of(q, from / from_.turn, receiver / to_.turn), kNoRank, from});
    });
  }
  std::ranges::sort(steps, {}, &Step::number);
  return steps;
}

BlockCyclicSchedule::Roles BlockCyclicSchedule::roles() const {
  if (from_.companions < to_.companions) return {to_, from_, true};
  return {from_, to_, false};
}

int BlockCyclicSchedule::step_of(Index q, Index x, Index y) const {
  if (rule_ == Rule::grid) {
    const Index most = std::max(from_.companions, to_.companions);
    const Index turn = q / std::min(from_.classes, to_.classes);
    return static_cast<int>(turn * most + (x + y) % most) + 1;
  }
  if (roles().swapped) std::swap(x, y);
  const Index step = rule_ == Rule::list ? place_in_list(q, x, y) : colour(q, x, y);
  return static_cast<int>(step) + 1;
}

Index BlockCyclicSchedule::place_in_list(Index q, Index x, Index y) const {
  const auto& [more, fewer, swapped] = roles();
  const Index turns = classes_ / more.classes;
  const Index rest = classes_ % more.classes;
  const Index begin = q % more.classes;
  // Classes that are alike to `more` follow each other in the list, for each companion of `fewer`.
  const Index before = begin * turns + std::min(begin, rest);
  const Index alike = turns + (begin < rest ? 1 : 0);
  const Index place = fewer.companions * before + y * alike + q / more.classes;
  return (place + ceiling(classes_, more.classes) * x) % step_count_;
}

Index BlockCyclicSchedule::colour(Index q, Index x, Index y) const {
  const auto& [more, fewer, swapped] = roles();
  return colours_[static_cast<std::size_t>((q * more.companions + x) * fewer.companions + y)];
}

void BlockCyclicSchedule::colour_classes() {
  const auto& [more, fewer, swapped] = roles();
  std::vector<Edge> edges;
  for (Index q = 0; q < classes_; ++q) {
    for (Index x = 0; x < more.companions; ++x) {
      for (Index y = 0; y < fewer.companions; ++y) {
        edges.push_back({static_cast<Rank>(q % fewer.classes * more.companions + x),
                         static_cast<Rank>(q % more.classes * fewer.companions + y)});
      }
    }
  }
  colours_ = colour_edges(static_cast<Rank>(fewer.classes * more.companions),
                          static_cast<Rank>(more.classes * fewer.companions), edges);
}

}  // namespace shunt
