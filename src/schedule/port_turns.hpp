// In which order the ranks of a node exchange with other nodes.
#pragma once

#include <functional>
#include <vector>

#include "model/machine.hpp"
#include "schedule/step.hpp"

namespace shunt {

/// What a rank awaits and owes at one of its steps: a token goes from rank to rank of a node, and
/// whoever has it may exchange with another node. A pairwise order alone does not see to it that
/// two ranks of a node do not do so at once (Sanders and Traff 2002, Section 3).
struct PortTurn {
  Rank after = kNoRank;  ///< the rank that hands a token over before the step, perhaps itself
  Rank then = kNoRank;   ///< the rank that is handed it after the step, perhaps itself

  friend bool operator==(const PortTurn&, const PortTurn&) = default;
};

/// The turns of `rank`, one for each of its steps, where `tokens` of them go round in its node: so
/// many steps with other nodes may be under way at a time. Without a rank where the step stays in
/// the node, where it is among the first, and where no more such steps follow. `steps_of` must be a
/// schedule without fault to `check_node_ports`. Takes the steps of all ranks of the node, and
/// their number of time and memory.
[[nodiscard]] std::vector<PortTurn> port_turns(
    const Machine& machine, Rank rank, const std::function<std::vector<Step>(Rank)>& steps_of,
    std::size_t tokens);

}  // namespace shunt
