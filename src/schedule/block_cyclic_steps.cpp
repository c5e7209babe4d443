#include "schedule/block_cyclic_steps.hpp"

#include <algorithm>
#include <utility>

namespace shunt {

BlockCyclicSteps::BlockCyclicSteps(const BlockCyclicClasses& classes)
    : classes_(classes),
      rule_(choose_rule()),
      count_(std::max(classes.most_sends(), classes.most_receives())) {
  if (rule_ != Rule::coloured) return;
  const Quotient quotient = classes.quotient();
  colours_ = colour_edges(quotient.rows, quotient.columns, quotient.edges);
}

BlockCyclicSteps::Rule BlockCyclicSteps::choose_rule() const {
  const Side& from = classes_.from();
  const Side& to = classes_.to();
  const bool against = (from.classes <= to.classes && from.companions >= to.companions) ||
                       (from.classes >= to.classes && from.companions <= to.companions);
  if (against) return Rule::grid;
  return std::min(from.classes, to.classes) == 1 ? Rule::list : Rule::coloured;
}

int BlockCyclicSteps::step(Index q, Index x, Index y) const {
  const Side& from = classes_.from();
  const Side& to = classes_.to();
  if (rule_ == Rule::grid) {
    const Index most = std::max(from.companions, to.companions);
    const Index turn = q / std::min(from.classes, to.classes);
    return static_cast<int>(turn * most + (x + y) % most);
  }
  if (rule_ == Rule::list) return static_cast<int>(place_in_list(q, x, y));
  // Where not everybody meets everybody, no number above 1 divides those of the companions of both
  // sides, or it would divide the period once more: each edge has one copy.
  return colours_[static_cast<std::size_t>(classes_.quotient_edge(q, x, y).edge)];
}

Index BlockCyclicSteps::place_in_list(Index q, Index x, Index y) const {
  // The side with more classes and more companions, and the other one.
  const bool swapped = classes_.from().companions < classes_.to().companions;
  const Side& more = swapped ? classes_.to() : classes_.from();
  const Side& fewer = swapped ? classes_.from() : classes_.to();
  if (swapped) std::swap(x, y);
  const Index turns = classes_.classes() / more.classes;
  const Index rest = classes_.classes() % more.classes;
  const Index begin = q % more.classes;
  // Classes that are alike to `more` follow each other in the list, for each companion of `fewer`.
  const Index before = begin * turns + std::min(begin, rest);
  const Index alike = turns + (begin < rest ? 1 : 0);
  const Index place = fewer.companions * before + y * alike + q / more.classes;
  return (place + (turns + (rest > 0 ? 1 : 0)) * x) % count_;
}

}  // namespace shunt
