// The order in which the ranks of a node exchange with other nodes.
#pragma once

#include <functional>
#include <vector>

#include "model/machine.hpp"
#include "schedule/step.hpp"

namespace shunt {

/// The token that a rank awaits before one of its steps and passes on after it. A token goes from
/// rank to rank of a node, and the rank that has it may exchange with another node. A pairwise
/// order alone does not prevent two ranks of a node from doing so at the same time (Sanders and
/// Traff 2002, Section 3).
struct TokenTurn {
  Rank after = kNoRank;  ///< the rank that hands a token over before the step, perhaps itself
  Rank then = kNoRank;   ///< the rank that is handed it after the step, perhaps itself

  friend bool operator==(const TokenTurn&, const TokenTurn&) = default;
};

/// Returns the turns of `rank`, one for each of its steps, where `tokens` tokens go round in its
/// node, so that as many steps with other nodes may be under way at a time. `after` and `then` are
/// kNoRank where the step stays in the node; `after` is where it is among the first steps, and
/// `then` where no more such steps follow. `steps_of` must be a schedule in which
/// `check_node_ports` finds nothing wrong. Asks for the steps of all ranks of the node, and takes
/// time and memory in proportion to them.
[[nodiscard]] std::vector<TokenTurn> token_order(
    const Machine& machine, Rank rank, const std::function<std::vector<Step>(Rank)>& steps_of,
    std::size_t tokens);

}  // namespace shunt
