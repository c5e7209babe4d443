#include "algorithms/allgather/allgathers.hpp"
#include "algorithms/allgather/direct_phase.hpp"
#include "algorithms/allgather/halving_phase.hpp"
#include "algorithms/allgather/move_phase.hpp"
#include "algorithms/allgather/phased.hpp"

namespace shunt {

namespace {

std::vector<Rank> first_of_each(const RankLists& nodes) {
  std::vector<Rank> leaders;
  for (const std::vector<Rank>& node : nodes) leaders.push_back(node.front());
  return leaders;
}

Lines line_of_leaders(Rank ranks, const RankLists& nodes) {
  return {ranks, {first_of_each(nodes)}};
}

/// What all ranks of a node hold comes to all other nodes, through their leaders, which are their
/// first ranks. All ranks of a node hold the same at the beginning. First some phase runs on the
/// line of leaders, after which each of them has everything; then each leader sends what it has
/// received to the others of its node, directly.
class LeadersPhase final : public Phase {
 public:
  /// `between` is on the line of leaders.
  LeadersPhase(Rank ranks, const RankLists& nodes, std::unique_ptr<const Phase> between)
      : nodes_(ranks, nodes), leaders_(first_of_each(nodes)), between_(std::move(between)) {}

  [[nodiscard]] int stages() const override { return between_->stages() + 1; }
  [[nodiscard]] std::string stage_name(int stage) const override {
    return is_last(stage) ? "tell each node" : between_->stage_name(stage);
  }

  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override {
    if (!is_last(stage)) return between_->steps(stage, rank);
    const Rank leader = nodes_.rank_at(rank, 0);
    if (!leads(rank)) return {{nodes_.place(rank), kNoRank, leader}};
    std::vector<Step> steps;
    for (Rank place = 1; place < nodes_.size(rank); ++place) {
      steps.push_back({place, nodes_.rank_at(rank, place), kNoRank});
    }
    return steps;
  }

  [[nodiscard]] int step_count(int stage) const override {
    return is_last(stage) ? nodes_.longest() - 1 : between_->step_count(stage);
  }

  void origins(int stage, Rank rank, std::vector<Rank>& origins) const override {
    if (stage == stages()) {
      origins.insert(origins.end(), leaders_.begin(), leaders_.end());
    } else if (!is_last(stage)) {
      // Who is alone on its line has nobody to pass anything on to.
      between_->origins(stage, rank, origins);
    } else if (leads(rank)) {
      for (const Rank leader : leaders_) {
        if (leader != rank) origins.push_back(leader);
      }
    }
  }

  [[nodiscard]] Volumes volumes(int stage, const Volumes& held,
                                const Volumes& before) const override {
    if (stage < between_->stages()) return between_->volumes(stage, held, before);
    Bytes total = 0;
    for (const Rank leader : leaders_) total += held[index_of(leader)];
    if (stage == stages()) return Volumes(held.size(), total);
    Volumes volumes(held.size(), 0);
    for (const Rank leader : leaders_) volumes[index_of(leader)] = total - held[index_of(leader)];
    return volumes;
  }

  [[nodiscard]] bool spreads_in_nodes(int stage) const override { return is_last(stage); }

 private:
  [[nodiscard]] bool is_last(int stage) const { return stage == between_->stages(); }
  [[nodiscard]] bool leads(Rank rank) const { return nodes_.place(rank) == 0; }

  Lines nodes_;
  std::vector<Rank> leaders_;
  std::unique_ptr<const Phase> between_;
};

/// Each block to all ranks of its node, and then all blocks through the first rank of each.
template <class Between>
Phases through_leaders(const Machine& machine, const char* between) {
  const Rank ranks = machine.ranks();
  const RankLists nodes = ranks_by_node(machine);
  Phases phases;
  phases.push_back(std::make_unique<DirectPhase>(Lines(ranks, nodes), "to each rank of the node"));
  if (nodes.size() > 1) {
    auto leaders = std::make_unique<Between>(line_of_leaders(ranks, nodes), between);
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
    target[index_of(source)] = nodes[index_of(machine->node_of(source))].front();
  }
  Phases phases;
  phases.push_back(std::make_unique<MovePhase>(std::move(target), "gather in nodes"));
  phases.push_back(
      std::make_unique<HalvingPhase>(line_of_leaders(ranks, nodes), "the line of nodes"));
  phases.push_back(std::make_unique<HalvingPhase>(Lines(ranks, nodes), "each node"));
  return std::make_unique<PhasedAllgather>("node-halving", std::move(sources), std::move(phases),
                                           kNoRank, std::move(machine));
}

std::unique_ptr<Allgather> make_node_halving_direct(Sources sources,
                                                    std::shared_ptr<const Machine> machine) {
  Phases phases = through_leaders<HalvingPhase>(*machine, "the line of nodes");
  return std::make_unique<PhasedAllgather>("node-halving-direct", std::move(sources),
                                           std::move(phases), kNoRank, std::move(machine));
}

std::unique_ptr<Allgather> make_node_star(Sources sources,
                                          const std::shared_ptr<const Machine>& machine) {
  return std::make_unique<PhasedAllgather>(
      "node-star", std::move(sources),
      through_leaders<DirectPhase>(*machine, "to each other node"));
}

}  // namespace shunt
