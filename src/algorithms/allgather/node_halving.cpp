#include "algorithms/allgather/allgathers.hpp"
#include "algorithms/allgather/direct_phase.hpp"
#include "algorithms/allgather/halving_phase.hpp"
#include "algorithms/allgather/leaders_phase.hpp"
#include "algorithms/allgather/move_phase.hpp"
#include "algorithms/allgather/phased.hpp"

namespace shunt {

namespace {

/// Each block to all ranks of its node, and then all blocks through the first rank of each.
template <class Between>
Phases through_leaders(const Machine& machine, const char* between) {
  const Rank ranks = machine.ranks();
  const RankLists nodes = ranks_by_node(machine);
  Phases phases;
  phases.push_back(std::make_unique<DirectPhase>(Lines(ranks, nodes), "to each rank of the node"));
  if (nodes.size() > 1) {
    auto leaders = std::make_unique<Between>(LeadersPhase::leaders_of(ranks, nodes), between);
    phases.push_back(std::make_unique<LeadersPhase>(ranks, nodes, std::move(leaders)));
  }
  return phases;
}

}  // namespace

std::unique_ptr<Allgather> make_node_halving(Sources sources,
                                             std::shared_ptr<const Machine> machine) {
  const Rank ranks = sources.ranks();
  const RankLists nodes = ranks_by_node(*machine);
  std::vector<Rank> target(sources.lengths().size(), kNoRank);
  for (const Rank source : sources.list()) {
    target[static_cast<std::size_t>(source)] =
        nodes[static_cast<std::size_t>(machine->node_of(source))].front();
  }
  Phases phases;
  phases.push_back(std::make_unique<MovePhase>(std::move(target), "gather in nodes"));
  phases.push_back(
      std::make_unique<HalvingPhase>(LeadersPhase::leaders_of(ranks, nodes), "the line of nodes"));
  phases.push_back(std::make_unique<HalvingPhase>(Lines(ranks, nodes), "each node"));
  auto allgather =
      std::make_unique<PhasedAllgather>("node-halving", std::move(sources), std::move(phases));
  allgather->spare_ports_of(std::move(machine));
  return allgather;
}

std::unique_ptr<Allgather> make_node_halving_direct(Sources sources,
                                                    std::shared_ptr<const Machine> machine) {
  Phases phases = through_leaders<HalvingPhase>(*machine, "the line of nodes");
  auto allgather = std::make_unique<PhasedAllgather>("node-halving-direct", std::move(sources),
                                                     std::move(phases));
  allgather->spare_ports_of(std::move(machine));
  return allgather;
}

std::unique_ptr<Allgather> make_node_star(Sources sources,
                                          const std::shared_ptr<const Machine>& machine) {
  return std::make_unique<PhasedAllgather>(
      "node-star", std::move(sources),
      through_leaders<DirectPhase>(*machine, "to each other node"));
}

}  // namespace shunt
