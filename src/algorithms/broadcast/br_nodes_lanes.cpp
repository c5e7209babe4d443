#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/broadcast/broadcasts.hpp"
#include "algorithms/broadcast/direct_phase.hpp"
#include "algorithms/broadcast/halving_phase.hpp"
#include "algorithms/broadcast/lines.hpp"
#include "algorithms/broadcast/node_parts.hpp"
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
/// each lane, of equal length whoever the sources are. Some of it other nodes may take over, lane
/// by lane, which then pass it on in place of their own.
class LanedBroadcast final : public Broadcast {
 public:
  /// `along_lanes` is on the lines `lanes_through(*machine)`; `parts`, ascending, is what the nodes
  /// pass on along them.
  LanedBroadcast(std::string name, Sources sources, std::shared_ptr<const Machine> machine,
                 std::unique_ptr<const Phase> along_lanes, std::vector<NodePart> parts)
      : Broadcast(std::move(sources)),
        name_(std::move(name)),
        machine_(std::move(machine)),
        in_nodes_(Lines(ranks(), ranks_by_node(*machine_)), "to each rank of the node"),
        evening_(Lines(ranks(), lanes_through(*machine_)), "to nodes that have less"),
        along_lanes_(std::move(along_lanes)),
        lanes_(machine_->size_of(machine_->smallest_node())),
        parts_(std::move(parts)),
        evens_(std::ranges::any_of(parts_, moves) ? 1 : 0) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] int stages() const override {
    return machine_->nodes() == 1 ? 1 : 1 + evens_ + along_lanes_->stages() + 1;
  }
  [[nodiscard]] std::string stage_name(int stage) const override {
    if (is_last(stage)) return "from the lanes to each node";
    return phase_of(stage).stage_name(stage_in_phase(stage));
  }
  [[nodiscard]] int step_count(int stage) const override {
    return phase_of(stage).step_count(stage_in_phase(stage));
  }
  [[nodiscard]] bool spreads_in_nodes(int stage) const override {
    return is_first(stage) || is_last(stage);
  }

  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override {
    std::vector<Step> steps = phase_of(stage).steps(stage_in_phase(stage), rank);
    for (Step& step : steps) {
      if (step.to != kNoRank && !sends(stage, rank, step.to)) step.to = kNoRank;
      if (step.from != kNoRank && !sends(stage, step.from, rank)) step.from = kNoRank;
    }
    std::erase_if(steps,
                  [](const Step& step) { return step.to == kNoRank && step.from == kNoRank; });
    return steps;
  }

  void shares(int stage, Rank from, Rank to, std::vector<Share>& shares) const override {
    if (is_first(stage)) {
      if (sources().is_source(from)) shares.push_back({from, 0, sources().length(from)});
      return;
    }
    const Rank lane = machine_->place_in_node(from);
    std::vector<Share> found;
    for_each_part(stage, from, to,
                  [&](const NodePart& part) { append_lane_of(part, lane, found); });
    append_joined(std::move(found), shares);
  }

  [[nodiscard]] double predict(const LinkCost& cost) const override {
    Volumes held = sources().lengths();
    double seconds = in_nodes_.predict(held, cost);
    if (stages() == 1) return seconds;
    seconds += predict_evening(cost);
    Volumes parts(held.size(), 0);
    for (Rank rank = 0; rank < ranks(); ++rank) parts[index_of(rank)] = part_of(rank);
    Volumes news = parts;
    seconds += along_lanes_->predict(news, cost);
    for (std::size_t rank = 0; rank < parts.size(); ++rank) news[rank] -= parts[rank];
    return seconds + in_nodes_.predict(news, cost);
  }

 private:
  [[nodiscard]] static bool moves(const NodePart& part) { return part.holder != part.origin; }

  [[nodiscard]] static bool is_first(int stage) { return stage == 0; }
  [[nodiscard]] bool is_evening(int stage) const { return evens_ == 1 && stage == 1; }
  [[nodiscard]] bool is_last(int stage) const { return stage > 0 && stage == stages() - 1; }

  [[nodiscard]] const Phase& phase_of(int stage) const {
    if (is_first(stage) || is_last(stage)) return in_nodes_;
    return is_evening(stage) ? evening_ : *along_lanes_;
  }
  [[nodiscard]] int stage_in_phase(int stage) const {
    return &phase_of(stage) == along_lanes_.get() ? stage - 1 - evens_ : 0;
  }

  [[nodiscard]] std::pair<Bytes, Bytes> lane_of(const NodePart& part, Rank lane) const {
    const ProportionalCut cut(part.end - part.begin, lanes_, 0, 1);
    return {part.begin + cut.end_of(lane), part.begin + cut.end_of(lane + 1)};
  }
  [[nodiscard]] Bytes lane_length(const NodePart& part, Rank lane) const {
    const auto [begin, end] = lane_of(part, lane);
    return end - begin;
  }
  [[nodiscard]] auto parts_held_by(Rank node) const {
    return std::ranges::equal_range(parts_, node, {}, &NodePart::holder);
  }
  /// The bytes that `rank` puts into its lane, if it is on one.
  [[nodiscard]] Bytes part_of(Rank rank) const {
    const Rank lane = machine_->place_in_node(rank);
    Bytes bytes = 0;
    if (lane >= lanes_) return bytes;
    for (const NodePart& part : parts_held_by(machine_->node_of(rank))) {
      bytes += lane_length(part, lane);
    }
    return bytes;
  }

  /// Calls visit(part) for all of which `from` sends its lane's to `to`, if it has a step to there,
  /// after the first stage.
  template <class Visit>
  void for_each_part(int stage, Rank from, Rank to, const Visit& visit) const {
    if (machine_->place_in_node(from) >= lanes_) return;
    const Rank node = machine_->node_of(from);
    const Rank other = machine_->node_of(to);
    if (is_last(stage)) {
      for (const NodePart& part : parts_) {
        if (part.origin != node) visit(part);
      }
      return;
    }
    if (is_evening(stage)) {
      for (const NodePart& part : parts_held_by(other)) {
        if (part.origin == node) visit(part);
      }
      return;
    }
    std::vector<Rank> holders;
    along_lanes_->origins(stage_in_phase(stage), from, holders);
    for (const Rank holder : holders) {
      for (const NodePart& part : parts_held_by(machine_->node_of(holder))) {
        if (part.origin != other) visit(part);
      }
    }
  }

  [[nodiscard]] bool sends(int stage, Rank from, Rank to) const {
    if (is_first(stage)) return sources().is_source(from);
    const Rank lane = machine_->place_in_node(from);
    bool found = false;
    for_each_part(stage, from, to,
                  [&](const NodePart& part) { found = found || lane_length(part, lane) > 0; });
    return found;
  }

  void append_lane_of(const NodePart& part, Rank lane, std::vector<Share>& shares) const {
    const auto [begin, end] = lane_of(part, lane);
    Bytes at = 0;
    for (const Rank source : machine_->ranks_of(part.origin)) {
      const Bytes length = sources().length(source);
      const Bytes from = std::max(begin, at);
      const Bytes to = std::min(end, at + length);
      if (from < to) shares.push_back({source, from - at, to - at});
      at += length;
    }
  }

  /// A message waits for no others than those of the node that it leaves, and of the one that it
  /// comes to.
  [[nodiscard]] double predict_evening(const LinkCost& cost) const {
    std::vector<double> out(static_cast<std::size_t>(machine_->nodes()), 0);
    std::vector<double> in = out;
    for (const NodePart& part : parts_) {
      if (!moves(part)) continue;
      const auto bytes = static_cast<double>(lane_length(part, lanes_ - 1));
      out[index_of(part.origin)] += cost.start_up + bytes * cost.per_byte;
      in[index_of(part.holder)] += cost.start_up + bytes * cost.per_byte;
    }
    return std::ranges::max(out) + std::ranges::max(in);
  }

  std::string name_;
  std::shared_ptr<const Machine> machine_;
  DirectPhase in_nodes_;
  DirectPhase evening_;
  std::unique_ptr<const Phase> along_lanes_;
  Rank lanes_;
  std::vector<NodePart> parts_;
  int evens_;  ///< stages in which nodes take over what others have
};

template <class Along>
std::unique_ptr<Broadcast> make_laned(const char* name, Sources sources,
                                      std::shared_ptr<const Machine> machine, const char* along,
                                      std::vector<NodePart> parts) {
  auto lanes = std::make_unique<Along>(Lines(sources.ranks(), lanes_through(*machine)), along);
  return std::make_unique<LanedBroadcast>(name, std::move(sources), std::move(machine),
                                          std::move(lanes), std::move(parts));
}

}  // namespace

std::unique_ptr<Broadcast> make_br_nodes_lanes(Sources sources,
                                               std::shared_ptr<const Machine> machine) {
  std::vector<NodePart> parts = own_parts(bytes_by_node(sources, *machine));
  return make_laned<HalvingPhase>("br-nodes-lanes", std::move(sources), std::move(machine),
                                  "the lanes", std::move(parts));
}

std::unique_ptr<Broadcast> make_br_nodes_lanes_star(Sources sources,
                                                    std::shared_ptr<const Machine> machine) {
  std::vector<NodePart> parts = evened_parts(bytes_by_node(sources, *machine));
  return make_laned<DirectPhase>("br-nodes-lanes-star", std::move(sources), std::move(machine),
                                 "along the lanes to each other node", std::move(parts));
}

}  // namespace shunt
