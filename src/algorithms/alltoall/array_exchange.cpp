#include "algorithms/alltoall/array_exchange.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "algorithms/alltoall/array_bounds.hpp"
#include "schedule/proportional_cut.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Sum of the digits of `destination` in the bases of the levels above `level`, the rest counting
/// as one digit: destinations that are neighbours on any level get different values.
Bytes digit_sum(const Hierarchy& hierarchy, int level, Rank at, Rank destination) {
  Bytes sum = 0;
  Rank rest = destination;
  Group group = hierarchy.top();
  for (int above = 0; above < level; ++above) {
    const Rank columns = group.array.columns();
    sum += rest % columns;
    rest /= columns;
    group = hierarchy.column_group(group, above, group.array.column_of(group.node_of(at)));
  }
  return sum + rest;
}

}  // namespace

ArrayExchange::ArrayExchange(std::string name, Hierarchy hierarchy, Spread spread, Bytes grain)
    : name_(std::move(name)), hierarchy_(std::move(hierarchy)), spread_(spread), grain_(grain) {
  if (grain < 1) {
    throw Error(ErrorKind::argument, fmt::format("the grain is {}, not positive", grain));
  }
}

std::string ArrayExchange::stage_name(int stage) const {
  const int level = level_of(stage);
  const char* verb = distributes(stage) ? "distribute" : "collect";
  if (hierarchy_.levels() == 1) return verb;
  if (hierarchy_.levels() == 2) {
    return fmt::format("{} {}", verb, level == 0 ? "in rows" : "in columns");
  }
  return fmt::format("{} on level {}", verb, level + 1);
}

std::vector<Step> ArrayExchange::steps(int stage, Rank rank) const {
  return hierarchy_.steps(rank, level_of(stage));
}

int ArrayExchange::step_count(int stage) const { return hierarchy_.step_count(level_of(stage)); }

void ArrayExchange::route(int stage, Rank at, Rank destination, Bytes length,
                          std::vector<Piece>& pieces) const {
  if (length == 0) return;
  const int level = level_of(stage);
  const Group group = hierarchy_.group_of(at, level);
  const NodeArray& array = group.array;
  const Rank node = group.node_of(at);
  if (!distributes(stage)) {
    const Rank column = array.column_of(group.node_of(destination));
    pieces.push_back({group.rank_of(array.contact(node, column)), 0, length});
    return;
  }
  const Bytes phase =
      (digit_sum(hierarchy_, level, at, destination) + array.nodes_before(array.column_of(node)) +
       array.row_of(node) + group.start) %
      array.nodes();
  const ProportionalCut cut(length, array.nodes(), phase, grain_);
  Bytes begin = 0;
  for (Rank column = 0; column < array.columns() && begin < length; ++column) {
    const Bytes end = cut.end_of(array.nodes_before(column + 1));
    if (end > begin) pieces.push_back({group.rank_of(array.contact(node, column)), begin, end});
    begin = end;
  }
}

RecordRule ArrayExchange::record_rule(int stage, Rank at) const {
  const int level = level_of(stage);
  const Group group = hierarchy_.group_of(at, level);
  const NodeArray& array = group.array;
  const Rank node = group.node_of(at);
  RecordRule rule;
  rule.dealt = distributes(stage);
  if (rule.dealt) {
    for (Rank place = 0; place < array.nodes(); ++place) {
      rule.to.push_back(group.rank_of(array.contact(node, place % array.columns())));
    }
    for (Rank destination = 0; destination < ranks(); ++destination) {
      rule.entry.push_back(destination % array.columns());
    }
    return rule;
  }
  // On lower levels a rank holds records for destinations in its own group alone.
  rule.to.assign(static_cast<std::size_t>(ranks()), kNoRank);
  for (Rank other = 0; other < array.nodes(); ++other) {
    rule.to[static_cast<std::size_t>(group.rank_of(other))] =
        group.rank_of(array.contact(node, array.column_of(other)));
  }
  return rule;
}

StageBound ArrayExchange::bound(int stage, Rank rank, const TrafficBound& traffic) const {
  return bound(stage, rank, traffic, Rounding{grain_});
}

StageBound ArrayExchange::bound(int stage, Rank rank, const TrafficBound& traffic,
                                Rounding rounding) const {
  const int level = level_of(stage);
  const Group group = hierarchy_.group_of(rank, level);
  const Rank messages = group.array.contacted_by(group.node_of(rank));
  const ArrayBounds bounds(hierarchy_, spread_ == Spread::evenly, rounding, traffic, ranks());
  if (distributes(stage)) {
    const Bytes longest = bounds.distributed(level, rank);
    return {messages, longest, longest * messages};
  }
  const Bytes longest = bounds.collected(level, rank);
  return {messages, longest, std::min(longest * messages, bounds.held(level, rank))};
}

std::optional<Symmetry> ArrayExchange::symmetry() const {
  std::vector<Rank> extents;
  Group group = hierarchy_.top();
  for (int level = 0; level < hierarchy_.levels(); ++level) {
    if (group.array.remainder() > 0) return std::nullopt;
    extents.push_back(group.array.columns());
    if (level + 1 < hierarchy_.levels()) group = hierarchy_.column_group(group, level, 0);
  }
  std::ranges::reverse(extents);
  return Symmetry{Extents(std::move(extents))};
}

double ArrayExchange::predict(const Loads& loads, const LinkCost& cost) const {
  double seconds = 0;
  Bytes held = std::ranges::max(loads.out);
  for (int stage = 0; stage < stages(); ++stage) {
    // Until it is collected, spread data weighs on a rank as its senders' loads do.
    TrafficBound traffic = loads.bound();
    if (spread_ == Spread::evenly) {
      traffic.largest_load = std::ranges::max(distributes(stage) ? loads.out : loads.in);
    }
    const Bytes received = bound(stage, 0, traffic, Rounding{0}).load;
    // A rank is busy with what it receives and with passing on what it has received before.
    const auto busy = static_cast<double>(std::max(received, held));
    seconds += step_count(stage) * cost.start_up + busy * (cost.per_byte + cost.copy);
    held = received;
  }
  return seconds;
}

}  // namespace shunt
