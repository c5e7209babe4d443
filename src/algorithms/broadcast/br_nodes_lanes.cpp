#include <algorithm>

#include "algorithms/broadcast/broadcasts.hpp"
#include "algorithms/broadcast/direct_phase.hpp"
#include "algorithms/broadcast/halving_phase.hpp"
#include "algorithms/broadcast/lines.hpp"
#include "schedule/proportional_cut.hpp"

namespace shunt {

namespace {

/// Lane k goes through the ranks at place k of each node. There are as many as the smallest node
/// has ranks.
RankLists lanes_through(const Machine& machine) {
  RankLists lanes(static_cast<std::size_t>(machine.size_of(machine.smallest_node())));
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    for (Rank node = 0; node < machine.nodes(); ++node) {
      lanes[lane].push_back(machine.ranks_of(node)[lane]);
    }
  }
  return lanes;
}

/// What a node's ranks have for the others is, once all of its ranks hold it, cut into a part for
/// each lane, of equal length whoever the sources are.
class LanedBroadcast final : public Broadcast {
 public:
  LanedBroadcast(Sources sources, std::shared_ptr<const Machine> machine)
      : Broadcast(std::move(sources)),
        machine_(std::move(machine)),
        in_nodes_(Lines(ranks(), ranks_by_node(*machine_)), "to each rank of the node"),
        along_lanes_(Lines(ranks(), lanes_through(*machine_)), "the lanes"),
        lanes_(machine_->size_of(machine_->smallest_node())),
        bytes_(static_cast<std::size_t>(machine_->nodes()), 0) {
    for (const Rank source : this->sources().list()) {
      bytes_[index_of(machine_->node_of(source))] += this->sources().length(source);
    }
  }

  [[nodiscard]] std::string name() const override { return "br-nodes-lanes"; }
  [[nodiscard]] int stages() const override {
    return machine_->nodes() == 1 ? 1 : along_lanes_.stages() + 2;
  }
  [[nodiscard]] std::string stage_name(int stage) const override {
    if (is_first(stage)) return in_nodes_.stage_name(0);
    return is_last(stage) ? "from the lanes to each node" : along_lanes_.stage_name(stage - 1);
  }
  [[nodiscard]] int step_count(int stage) const override {
    const bool in_nodes = is_first(stage) || is_last(stage);
    return in_nodes ? in_nodes_.step_count(0) : along_lanes_.step_count(stage - 1);
  }
  [[nodiscard]] bool spreads_in_nodes(int stage) const override {
    return is_first(stage) || is_last(stage);
  }

  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override {
    const bool in_nodes = is_first(stage) || is_last(stage);
    std::vector<Step> steps =
        in_nodes ? in_nodes_.steps(0, rank) : along_lanes_.steps(stage - 1, rank);
    const bool has_something = sends(stage, rank);
    for (Step& step : steps) {
      if (!has_something) step.to = kNoRank;
      if (step.from != kNoRank && !sends(stage, step.from)) step.from = kNoRank;
    }
    std::erase_if(steps,
                  [](const Step& step) { return step.to == kNoRank && step.from == kNoRank; });
    return steps;
  }

  void shares(int stage, Rank from, Rank /*to*/, std::vector<Share>& shares) const override {
    const auto first = static_cast<std::ptrdiff_t>(shares.size());
    if (is_first(stage)) {
      if (sources().is_source(from)) shares.push_back({from, 0, sources().length(from)});
      return;
    }
    for (const Rank node : nodes_passed_on(stage, from)) {
      append_part(node, machine_->place_in_node(from), shares);
    }
    std::sort(shares.begin() + first, shares.end());
  }

  [[nodiscard]] double predict(const LinkCost& cost) const override {
    Volumes held = sources().lengths();
    double seconds = in_nodes_.predict(held, cost);
    if (stages() == 1) return seconds;
    Volumes parts(held.size(), 0);
    for (Rank rank = 0; rank < ranks(); ++rank) parts[index_of(rank)] = part_of(rank);
    Volumes news = parts;
    seconds += along_lanes_.predict(news, cost);
    for (std::size_t rank = 0; rank < parts.size(); ++rank) news[rank] -= parts[rank];
    return seconds + in_nodes_.predict(news, cost);
  }

 private:
  [[nodiscard]] static bool is_first(int stage) { return stage == 0; }
  [[nodiscard]] bool is_last(int stage) const { return stage > 0 && stage == stages() - 1; }

  [[nodiscard]] Bytes cut(Rank node, Rank lane) const {
    return ProportionalCut(bytes_[index_of(node)], lanes_, 0, 1).end_of(lane);
  }
  [[nodiscard]] Bytes part_length(Rank node, Rank lane) const {
    return cut(node, lane + 1) - cut(node, lane);
  }
  /// The bytes that `rank` puts into its lane, if it is on one.
  [[nodiscard]] Bytes part_of(Rank rank) const {
    const Rank lane = machine_->place_in_node(rank);
    return lane < lanes_ ? part_length(machine_->node_of(rank), lane) : 0;
  }

  [[nodiscard]] bool sends(int stage, Rank rank) const {
    if (is_first(stage)) return sources().is_source(rank);
    const Rank lane = machine_->place_in_node(rank);
    const std::vector<Rank> passed = nodes_passed_on(stage, rank);
    return std::ranges::any_of(passed, [&](Rank node) { return part_length(node, lane) > 0; });
  }

  /// The nodes whose parts `rank` has to send after the first stage: none if it is on no lane.
  [[nodiscard]] std::vector<Rank> nodes_passed_on(int stage, Rank rank) const {
    std::vector<Rank> nodes;
    if (machine_->place_in_node(rank) >= lanes_) return nodes;
    if (is_last(stage)) {
      for (Rank node = 0; node < machine_->nodes(); ++node) {
        if (node != machine_->node_of(rank)) nodes.push_back(node);
      }
      return nodes;
    }
    along_lanes_.origins(stage - 1, rank, nodes);
    for (Rank& origin : nodes) origin = machine_->node_of(origin);
    return nodes;
  }

  void append_part(Rank node, Rank lane, std::vector<Share>& shares) const {
    const Bytes begin = cut(node, lane);
    const Bytes end = cut(node, lane + 1);
    Bytes at = 0;
    for (const Rank source : machine_->ranks_of(node)) {
      const Bytes length = sources().length(source);
      const Bytes from = std::max(begin, at);
      const Bytes to = std::min(end, at + length);
      if (from < to) shares.push_back({source, from - at, to - at});
      at += length;
    }
  }

  std::shared_ptr<const Machine> machine_;
  DirectPhase in_nodes_;
  HalvingPhase along_lanes_;
  Rank lanes_;
  std::vector<Bytes> bytes_;  ///< by node: of all of its blocks
};

}  // namespace

std::unique_ptr<Broadcast> make_br_nodes_lanes(Sources sources,
                                               std::shared_ptr<const Machine> machine) {
  return std::make_unique<LanedBroadcast>(std::move(sources), std::move(machine));
}

}  // namespace shunt
