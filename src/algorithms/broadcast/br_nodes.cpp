#include "algorithms/broadcast/broadcasts.hpp"
#include "algorithms/broadcast/halving_phase.hpp"
#include "algorithms/broadcast/move_phase.hpp"
#include "algorithms/broadcast/phased.hpp"

namespace shunt {

std::unique_ptr<Broadcast> make_br_nodes(Sources sources, std::shared_ptr<const Machine> machine) {
  const Rank ranks = sources.ranks();
  std::vector<Rank> leaders;
  std::vector<std::vector<Rank>> nodes;
  for (Rank node = 0; node < machine->nodes(); ++node) {
    const auto members = machine->ranks_of(node);
    leaders.push_back(members.front());
    nodes.emplace_back(members.begin(), members.end());
  }
  std::vector<Rank> target(sources.lengths().size(), kNoRank);
  for (const Rank source : sources.list()) {
    target[static_cast<std::size_t>(source)] =
        leaders[static_cast<std::size_t>(machine->node_of(source))];
  }
  Phases phases;
  phases.push_back(std::make_unique<MovePhase>(std::move(target), "gather in nodes"));
  phases.push_back(std::make_unique<HalvingPhase>(Lines(ranks, {leaders}), "the line of nodes"));
  phases.push_back(std::make_unique<HalvingPhase>(Lines(ranks, nodes), "each node"));
  auto broadcast =
      std::make_unique<PhasedBroadcast>("br-nodes", std::move(sources), std::move(phases));
  broadcast->spare_ports_of(std::move(machine));
  return broadcast;
}

}  // namespace shunt
