#include "schedule/token_order.hpp"

#include <algorithm>

namespace shunt {

namespace {

/// A step in which a rank exchanges with another node.
struct Crossing {
  int number;  ///< of the step
  Rank rank;
  std::size_t index;  ///< among the rank's steps
};

bool crosses(const Machine& machine, Rank rank, const Step& step) {
  const Rank node = machine.node_of(rank);
  auto is_outside = [&](Rank peer) { return peer != kNoRank && machine.node_of(peer) != node; };
  return is_outside(step.to) || is_outside(step.from);
}

}  // namespace

std::vector<TokenTurn> token_order(const Machine& machine, Rank rank,
                                   const std::function<std::vector<Step>(Rank)>& steps_of,
                                   std::size_t tokens) {
  std::vector<TokenTurn> turns;
  std::vector<Crossing> crossings;
  for (const Rank mate : machine.ranks_of(machine.node_of(rank))) {
    const std::vector<Step> steps = steps_of(mate);
    if (mate == rank) turns.resize(steps.size());
    for (std::size_t index = 0; index < steps.size(); ++index) {
      if (!crosses(machine, mate, steps[index])) continue;
      crossings.push_back({steps[index].number, mate, index});
    }
  }
  std::ranges::sort(crossings, {}, &Crossing::number);
  for (std::size_t k = 0; k < crossings.size(); ++k) {
    if (crossings[k].rank != rank) continue;
    TokenTurn& turn = turns[crossings[k].index];
    if (k >= tokens) turn.after = crossings[k - tokens].rank;
    if (k + tokens < crossings.size()) turn.then = crossings[k + tokens].rank;
  }
  return turns;
}

}  // namespace shunt
