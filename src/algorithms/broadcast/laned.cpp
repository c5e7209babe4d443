#include "algorithms/broadcast/laned.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/broadcast/lines.hpp"
#include "schedule/proportional_cut.hpp"

namespace shunt {

Volumes bytes_by_node(const Sources& sources, const Machine& machine) {
  Volumes bytes(static_cast<std::size_t>(machine.nodes()), 0);
  for (const Rank source : sources.list()) {
    bytes[index_of(machine.node_of(source))] += sources.length(source);
  }
  return bytes;
}

LanedBroadcast::LanedBroadcast(std::string name, Sources sources,
                               std::shared_ptr<const Machine> machine, Rank lanes,
                               std::unique_ptr<const NodePattern> pattern)
    : Broadcast(std::move(sources)),
      name_(std::move(name)),
      machine_(std::move(machine)),
      in_nodes_(Lines(ranks(), ranks_by_node(*machine_)), "to each rank of the node"),
      lanes_(lanes),
      pattern_(std::move(pattern)),
      bytes_(bytes_by_node(this->sources(), *machine_)) {}

std::string LanedBroadcast::stage_name(int stage) const {
  if (is_first(stage)) return in_nodes_.stage_name(0);
  return is_last(stage) ? "from the lanes to each node" : pattern_->stage_name(stage - 1);
}

int LanedBroadcast::step_count(int stage) const {
  return is_between(stage) ? pattern_->step_count(stage - 1) : in_nodes_.step_count(0);
}

std::vector<Step> LanedBroadcast::steps(int stage, Rank rank) const {
  std::vector<Step> steps =
      is_between(stage) ? steps_between(stage, rank) : in_nodes_.steps(0, rank);
  const bool has_something = sends(stage, rank);
  for (Step& step : steps) {
    if (!has_something) step.to = kNoRank;
    if (step.from != kNoRank && !sends(stage, step.from)) step.from = kNoRank;
  }
  std::erase_if(steps, [](const Step& step) { return step.to == kNoRank && step.from == kNoRank; });
  return steps;
}

std::vector<Step> LanedBroadcast::steps_between(int stage, Rank rank) const {
  const Rank lane = machine_->place_in_node(rank);
  if (lane >= lanes_) return {};
  std::vector<Step> steps = pattern_->steps(stage - 1, machine_->node_of(rank));
  for (Step& step : steps) {
    for (Rank* end : {&step.to, &step.from}) {
      if (*end != kNoRank) *end = machine_->ranks_of(*end)[index_of(lane)];
    }
  }
  return steps;
}

void LanedBroadcast::shares(int stage, Rank from, Rank /*to*/, std::vector<Share>& shares) const {
  if (is_first(stage)) {
    if (sources().is_source(from)) shares.push_back({from, 0, sources().length(from)});
    return;
  }
  std::vector<Share> found;
  for (const Range& range : ranges_from(stage, from)) append_shares(range, found);
  append_joined(std::move(found), shares);
}

double LanedBroadcast::predict(const LinkCost& cost) const {
  Volumes held = sources().lengths();
  const double first = in_nodes_.predict(held, cost);
  if (stages() == 1) return first;
  Volumes in_lane = bytes_;
  for (Bytes& bytes : in_lane) bytes = (bytes + lanes_ - 1) / lanes_;
  Volumes news(held.size(), 0);
  for (Rank rank = 0; rank < ranks(); ++rank) {
    const Bytes own = bytes_[index_of(machine_->node_of(rank))];
    if (machine_->place_in_node(rank) < lanes_) {
      news[index_of(rank)] = (sources().total() - own) / lanes_;
    }
  }
  return first + pattern_->predict(in_lane, cost) + in_nodes_.predict(news, cost);
}

/// What `rank` has to send there, after the first stage: nothing if it is on no lane.
std::vector<LanedBroadcast::Range> LanedBroadcast::ranges_from(int stage, Rank rank) const {
  std::vector<Range> ranges;
  const Rank lane = machine_->place_in_node(rank);
  if (lane >= lanes_) return ranges;
  const Rank node = machine_->node_of(rank);
  if (is_last(stage)) {
    for (Rank other = 0; other < machine_->nodes(); ++other) {
      if (other != node) ranges.push_back(range_of(other, lane, 0, pattern_->pieces_of(other)));
    }
  } else {
    std::vector<NodePiece> pieces;
    pattern_->append_passed_on(stage - 1, node, pieces);
    for (const auto& [origin, number] : pieces) {
      ranges.push_back(range_of(origin, lane, number, number + 1));
    }
  }
  std::erase_if(ranges, [](const Range& range) { return range.begin == range.end; });
  return ranges;
}

/// The bytes of `node` on that lane that are its pieces [begin, end).
LanedBroadcast::Range LanedBroadcast::range_of(Rank node, Rank lane, Bytes begin, Bytes end) const {
  const Bytes pieces = pattern_->pieces_of(node);
  if (pieces == 0) return {node, 0, 0};
  const ProportionalCut cut(bytes_[index_of(node)], lanes_ * pieces, 0, 1);
  return {node, cut.end_of(lane * pieces + begin), cut.end_of(lane * pieces + end)};
}

bool LanedBroadcast::sends(int stage, Rank rank) const {
  return is_first(stage) ? sources().is_source(rank) : !ranges_from(stage, rank).empty();
}

void LanedBroadcast::append_shares(const Range& range, std::vector<Share>& shares) const {
  Bytes at = 0;
  for (const Rank source : machine_->ranks_of(range.node)) {
    const Bytes length = sources().length(source);
    const Bytes from = std::max(range.begin, at);
    const Bytes to = std::min(range.end, at + length);
    if (from < to) shares.push_back({source, from - at, to - at});
    at += length;
  }
}

}  // namespace shunt
