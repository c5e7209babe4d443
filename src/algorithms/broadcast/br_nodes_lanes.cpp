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
RankLists lanes_through(const RankLists& nodes) {
  const auto smallest = std::ranges::min(nodes, {}, [](const auto& node) { return node.size(); });
  RankLists lanes(smallest.size());
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    for (const std::vector<Rank>& node : nodes) lanes[lane].push_back(node[lane]);
  }
  return lanes;
}

/// What a node's ranks have for the others is, once all of its ranks hold it, cut into a part for
/// each lane, of equal length whoever the sources are.
class LanedBroadcast final : public Broadcast {
 public:
  LanedBroadcast(Sources sources, const RankLists& nodes, const RankLists& lanes)
      : Broadcast(std::move(sources)),
        in_nodes_(Lines(ranks(), nodes), "to each rank of the node"),
        along_lanes_(Lines(ranks(), lanes), "the lanes"),
        nodes_(nodes),
        lane_count_(static_cast<Rank>(lanes.size())),
        node_(sources_size()),
        lane_(sources_size(), kNoRank) {
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      for (const Rank rank : nodes[node]) node_[index(rank)] = node;
      Bytes bytes = 0;
      for (const Rank rank : nodes[node]) bytes += this->sources().length(rank);
      bytes_.push_back(bytes);
    }
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      for (const Rank rank : lanes[lane]) lane_[index(rank)] = static_cast<Rank>(lane);
    }
  }

  [[nodiscard]] std::string name() const override { return "br-nodes-lanes"; }
  [[nodiscard]] int stages() const override {
    return nodes_.size() == 1 ? 1 : along_lanes_.stages() + 2;
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
    for (Step& step : steps) {
      if (step.to != kNoRank && !sends(stage, rank)) step.to = kNoRank;
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
    for (const std::size_t node : nodes_passed_on(stage, from)) {
      append_part(node, lane_[index(from)], shares);
    }
    std::sort(shares.begin() + first, shares.end());
  }

  [[nodiscard]] double predict(const LinkCost& cost) const override {
    Volumes held = sources().lengths();
    double seconds = in_nodes_.predict(held, cost);
    if (stages() == 1) return seconds;
    Volumes parts(held.size(), 0);
    for (Rank rank = 0; rank < ranks(); ++rank) parts[index(rank)] = part_of(rank);
    Volumes news = parts;
    seconds += along_lanes_.predict(news, cost);
    for (std::size_t rank = 0; rank < parts.size(); ++rank) news[rank] -= parts[rank];
    return seconds + in_nodes_.predict(news, cost);
  }

 private:
  [[nodiscard]] static std::size_t index(Rank rank) { return static_cast<std::size_t>(rank); }
  [[nodiscard]] std::size_t sources_size() const { return sources().lengths().size(); }
  [[nodiscard]] static bool is_first(int stage) { return stage == 0; }
  [[nodiscard]] bool is_last(int stage) const { return stage > 0 && stage == stages() - 1; }

  [[nodiscard]] Bytes cut(std::size_t node, Rank lane) const {
    return ProportionalCut(bytes_[node], lane_count_, 0, 1).end_of(lane);
  }
  /// The bytes that `rank` puts into its lane.
  [[nodiscard]] Bytes part_of(Rank rank) const {
    const Rank lane = lane_[index(rank)];
    if (lane == kNoRank) return 0;
    return cut(node_[index(rank)], lane + 1) - cut(node_[index(rank)], lane);
  }

  [[nodiscard]] bool sends(int stage, Rank rank) const {
    if (is_first(stage)) return sources().is_source(rank);
    const Rank lane = lane_[index(rank)];
    const std::vector<std::size_t> passed = nodes_passed_on(stage, rank);
    return std::ranges::any_of(
        passed, [&](std::size_t node) { return cut(node, lane + 1) > cut(node, lane); });
  }

  /// The nodes whose parts `rank`, which is on a lane, has to send after the first stage.
  [[nodiscard]] std::vector<std::size_t> nodes_passed_on(int stage, Rank rank) const {
    std::vector<std::size_t> nodes;
    if (lane_[index(rank)] == kNoRank) return nodes;
    if (is_last(stage)) {
      for (std::size_t node = 0; node < nodes_.size(); ++node) {
        if (node != node_[index(rank)]) nodes.push_back(node);
      }
      return nodes;
    }
    std::vector<Rank> origins;
    along_lanes_.origins(stage - 1, rank, origins);
    for (const Rank origin : origins) nodes.push_back(node_[index(origin)]);
    return nodes;
  }

  void append_part(std::size_t node, Rank lane, std::vector<Share>& shares) const {
    const Bytes begin = cut(node, lane);
    const Bytes end = cut(node, lane + 1);
    Bytes at = 0;
    for (const Rank source : nodes_[node]) {
      const Bytes length = sources().length(source);
      const Bytes from = std::max(begin, at);
      const Bytes to = std::min(end, at + length);
      if (from < to) shares.push_back({source, from - at, to - at});
      at += length;
    }
  }

  DirectPhase in_nodes_;
  HalvingPhase along_lanes_;
  RankLists nodes_;
  Rank lane_count_;
  std::vector<std::size_t> node_;  ///< by rank
  std::vector<Rank> lane_;         ///< by rank; kNoRank: on none
  std::vector<Bytes> bytes_;       ///< by node: of all of its blocks
};

}  // namespace

std::unique_ptr<Broadcast> make_br_nodes_lanes(Sources sources,
                                               const std::shared_ptr<const Machine>& machine) {
  const RankLists nodes = ranks_by_node(*machine);
  return std::make_unique<LanedBroadcast>(std::move(sources), nodes, lanes_through(nodes));
}

}  // namespace shunt
