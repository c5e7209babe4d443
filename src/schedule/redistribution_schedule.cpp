#include "schedule/redistribution_schedule.hpp"

#include <algorithm>
#include <utility>

namespace shunt {

namespace {

PlaceGrid grid_of(const std::vector<RedistributionAxis>& axes,
                  BlockCyclic RedistributionAxis::*side, PlaceOrder order) {
  std::vector<Rank> extents;
  for (const RedistributionAxis& axis : axes) extents.push_back((axis.*side).places);
  return {extents, order};
}

/// An edge for each pair of an edge of either, the second one counted faster.
Quotient product(const Quotient& first, const Quotient& second) {
  Quotient product{
      first.rows * second.rows, first.columns * second.columns, {}, first.copies * second.copies};
  product.edges.reserve(first.edges.size() * second.edges.size());
  for (const Edge& a : first.edges) {
    for (const Edge& b : second.edges) {
      product.edges.push_back({a.row * second.rows + b.row, a.column * second.columns + b.column});
    }
  }
  return product;
}

}  // namespace

RedistributionSchedule::RedistributionSchedule(std::vector<RedistributionAxis> axes,
                                               PlaceOrder from, PlaceOrder to)
    : axes_(std::move(axes)),
      from_(grid_of(axes_, &RedistributionAxis::from, from)),
      to_(grid_of(axes_, &RedistributionAxis::to, to)) {
  for (const RedistributionAxis& axis : axes_) graphs_.push_back(make_axis_graph(axis));
  choose_parts();
  for (const Part& part : parts_) step_count_ *= part.count;
}

/// Dimensions that have each their own steps take the product of these numbers in all. That is the
/// least unless in some dimensions senders are the busier side and in others receivers: then these
/// are coloured as one graph.
void RedistributionSchedule::choose_parts() {
  std::vector<std::size_t> uneven;
  bool more_sends = false;
  bool more_receives = false;
  for (std::size_t axis = 0; axis < graphs_.size(); ++axis) {
    const AxisGraph& graph = *graphs_[axis];
    if (graph.most_sends() != graph.most_receives()) uneven.push_back(axis);
    more_sends |= graph.most_sends() > graph.most_receives();
    more_receives |= graph.most_sends() < graph.most_receives();
  }
  if (!more_sends || !more_receives) uneven.clear();
  for (std::size_t axis = 0; axis < graphs_.size(); ++axis) {
    if (!std::ranges::binary_search(uneven, axis)) parts_.push_back(own_part(axis));
  }
  if (!uneven.empty()) parts_.push_back(common_part(uneven));
}

RedistributionSchedule::Part RedistributionSchedule::own_part(std::size_t axis) const {
  const AxisGraph& graph = *graphs_[axis];
  return {std::max(graph.most_sends(), graph.most_receives()),
          [axis, step = graph.steps()](std::span<const Meeting> meetings) {
            return step(meetings[axis]);
          }};
}

RedistributionSchedule::Part RedistributionSchedule::common_part(
    const std::vector<std::size_t>& axes) const {
  struct Digit {
    std::size_t axis;
    const AxisGraph* graph;
    Index edges;
    Rank copies;
  };
  std::vector<Digit> digits;
  Quotient all{1, 1, {{0, 0}}, 1};
  Rank sends = 1;
  Rank receives = 1;
  for (const std::size_t axis : axes) {
    const AxisGraph& graph = *graphs_[axis];
    const Quotient quotient = graph.quotient();
    digits.push_back({axis, &graph, std::ssize(quotient.edges), quotient.copies});
    all = product(all, quotient);
    sends *= graph.most_sends();
    receives *= graph.most_receives();
  }
  return {std::max(sends, receives),
          [digits, copies = all.copies, colours = colour_edges(all.rows, all.columns, all.edges)](
              std::span<const Meeting> meetings) {
            Index edge = 0;
            Rank turn = 0;
            for (const Digit& digit : digits) {
              const QuotientEdge along = digit.graph->quotient_edge(meetings[digit.axis]);
              edge = edge * digit.edges + along.edge;
              turn = turn * digit.copies + along.turn;
            }
            return colours[static_cast<std::size_t>(edge)] * copies + turn;
          }};
}

int RedistributionSchedule::step_of(std::span<const Meeting> meetings) const {
  int step = 0;
  for (const Part& part : parts_) step = step * part.count + part.step(meetings);
  return step + 1;
}

std::vector<Step> RedistributionSchedule::steps_of(Rank place, const PlaceGrid& own,
                                                   const PlaceGrid& peers, MeetingsOf meetings_of,
                                                   Rank Step::*peer) const {
  std::vector<std::vector<Meeting>> along;
  std::vector<Meeting> chosen;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    along.push_back((*graphs_[axis].*meetings_of)(own.coordinate(place, axis)));
    if (along.back().empty()) return {};
    chosen.push_back(along.back().front());
  }
  std::vector<Step> steps;
  std::vector<std::size_t> at(along.size(), 0);
  std::size_t axis = 0;
  do {
    Step step{step_of(chosen), kNoRank, kNoRank};
    step.*peer = 0;
    for (std::size_t k = 0; k < along.size(); ++k) step.*peer += chosen[k].peer * peers.stride(k);
    steps.push_back(step);
    for (axis = 0; axis < along.size(); ++axis) {
      at[axis] = at[axis] + 1 < along[axis].size() ? at[axis] + 1 : 0;
      chosen[axis] = along[axis][at[axis]];
      if (at[axis] > 0) break;
    }
  } while (axis < along.size());
  std::ranges::sort(steps, {}, &Step::number);
  return steps;
}

std::vector<Step> RedistributionSchedule::sends(Rank sender) const {
  return steps_of(sender, from_, to_, &AxisGraph::sends, &Step::to);
}

std::vector<Step> RedistributionSchedule::receives(Rank receiver) const {
  return steps_of(receiver, to_, from_, &AxisGraph::receives, &Step::from);
}

Index RedistributionSchedule::elements(Rank sender, Rank receiver) const {
  Index elements = 1;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis) {
    elements *=
        axes_[axis].overlap(from_.coordinate(sender, axis), to_.coordinate(receiver, axis)).count();
  }
  return elements;
}

}  // namespace shunt
