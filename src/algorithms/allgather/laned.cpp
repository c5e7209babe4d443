#include "algorithms/allgather/laned.hpp"

#include <algorithm>
#include <utility>

#include "algorithms/allgather/lines.hpp"
#include "schedule/proportional_cut.hpp"

namespace shunt {

Volumes bytes_by_node(const Sources& sources, const Machine& machine) {
  Volumes bytes(static_cast<std::size_t>(machine.nodes()), 0);
  for (const Rank source : sources.list()) {
    bytes[index_of(machine.node_of(source))] += sources.length(source);
  }
  return bytes;
}

LanedAllgather::LanedAllgather(std::string name, Sources sources,
                               std::shared_ptr<const Machine> machine, Rank lanes,
                               std::unique_ptr<const NodePattern> pattern, int period)
    : Allgather(std::move(sources)),
      name_(std::move(name)),
      machine_(std::move(machine)),
      in_nodes_(Lines(ranks(), ranks_by_node(*machine_)), "to each rank of the node"),
      lanes_(lanes),
      pattern_(std::move(pattern)),
      period_(period),
      bytes_(bytes_by_node(this->sources(), *machine_)) {}

std::string LanedAllgather::stage_name(int stage) const {
  if (is_first(stage)) return in_nodes_.stage_name(0);
  return is_last(stage) ? "from the lanes to each node" : pattern_->stage_name(stage - 1);
}

int LanedAllgather::step_count(int stage) const {
  const int between = is_between(stage) ? pattern_->step_count(stage - 1) : 0;
  return between + (spreads_in_nodes(stage) ? in_nodes_.step_count(0) : 0);
}

std::vector<Step> LanedAllgather::steps(int stage, Rank rank) const {
  std::vector<Step> steps = all_steps(stage, rank);
  for (Step& step : steps) {
    if (step.to != kNoRank && !sends(stage, rank, step.to)) step.to = kNoRank;
    if (step.from != kNoRank && !sends(stage, step.from, rank)) step.from = kNoRank;
  }
  std::erase_if(steps, [](const Step& step) { return step.to == kNoRank && step.from == kNoRank; });
  return steps;
}

/// If all nodes have something, and their ranks: first those between nodes.
std::vector<Step> LanedAllgather::all_steps(int stage, Rank rank) const {
  std::vector<Step> steps;
  const Rank lane = machine_->place_in_node(rank);
  if (is_between(stage) && lane < lanes_) {
    steps = pattern_->steps(stage - 1, machine_->node_of(rank));
    rename_ends(steps, [&](Rank node) { return machine_->ranks_of(node)[index_of(lane)]; });
  }
  if (!spreads_in_nodes(stage)) return steps;
  const int before = is_between(stage) ? pattern_->step_count(stage - 1) : 0;
  for (Step step : in_nodes_.steps(0, rank)) {
    step.number += before;
    steps.push_back(step);
  }
  return steps;
}

void LanedAllgather::shares(int stage, Rank from, Rank to, std::vector<Share>& shares) const {
  if (is_first(stage)) {
    if (sources().is_source(from)) shares.push_back({from, 0, sources().length(from)});
    return;
  }
  std::vector<Share> found;
  for (const Range& range : ranges(stage, from, to)) append_shares(range, found);
  append_joined(std::move(found), shares);
}

double LanedAllgather::predict(const LinkCost& cost) const {
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

/// What `from` has to send to `to`, after the first stage: nothing if it is on no lane.
std::vector<LanedAllgather::Range> LanedAllgather::ranges(int stage, Rank from, Rank to) const {
  std::vector<Range> ranges;
  const Rank lane = machine_->place_in_node(from);
  if (lane >= lanes_) return ranges;
  const Rank node = machine_->node_of(from);
  std::vector<NodePiece> pieces;
  if (machine_->node_of(to) == node) {
    append_told(stage, node, pieces);
  } else {
    pattern_->append_passed_on(stage - 1, node, pieces);
  }
  for (const NodePiece& piece : pieces) ranges.push_back(range_of(piece, lane));
  std::erase_if(ranges, [](const Range& range) { return range.begin == range.end; });
  return ranges;
}

/// What came to `node` since it was told something.
void LanedAllgather::append_told(int stage, Rank node, std::vector<NodePiece>& pieces) const {
  int first = stage - 1;
  while (first > 1 && !tells(first)) --first;
  for (int came = std::max(first, 1); came < stage; ++came) {
    for (const Step& step : pattern_->steps(came - 1, node)) {
      if (step.from != kNoRank) pattern_->append_passed_on(came - 1, step.from, pieces);
    }
  }
}

/// The bytes of a piece that go along that lane.
LanedAllgather::Range LanedAllgather::range_of(const NodePiece& piece, Rank lane) const {
  const Bytes pieces = pattern_->pieces_of(piece.origin);
  const ProportionalCut cut(bytes_[index_of(piece.origin)], lanes_ * pieces, 0, 1);
  const Bytes number = lane * pieces + piece.number;
  return {piece.origin, cut.end_of(number), cut.end_of(number + 1)};
}

bool LanedAllgather::sends(int stage, Rank from, Rank to) const {
  return is_first(stage) ? sources().is_source(from) : !ranges(stage, from, to).empty();
}

void LanedAllgather::append_shares(const Range& range, std::vector<Share>& shares) const {
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
