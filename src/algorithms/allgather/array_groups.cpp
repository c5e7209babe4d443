#include "algorithms/allgather/array_groups.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "algorithms/allgather/halving_phase.hpp"

namespace shunt {

namespace {

/// The members along a way through the array of which each step leads to a neighbour.
std::vector<Rank> snake(const ArrayGroup& group) {
  const Extents& array = group.array;
  std::vector<Rank> line;
  for (Rank place = 0; place < array.ranks(); ++place) {
    Rank member = 0;
    Rank run = array.ranks();  // places in which the coordinates of this dimension are run through
    for (int dimension = 0; dimension < array.dimensions(); ++dimension) {
      const Rank extent = array.extent(dimension);
      const bool backwards = place / run % 2 != 0;
      run /= extent;
      const Rank digit = place / run % extent;
      member = member * extent + (backwards ? extent - 1 - digit : digit);
    }
    line.push_back(group.members[index_of(member)]);
  }
  return line;
}

/// The lines along a dimension.
void append_lines(const ArrayGroup& group, int dimension, std::vector<std::vector<Rank>>& lines) {
  for (Rank first = 0; first < group.array.ranks(); ++first) {
    if (group.array.coordinate(first, dimension) != 0) continue;
    std::vector<Rank>& line = lines.emplace_back();
    for (Rank k = 0; k < group.array.extent(dimension); ++k) {
      line.push_back(group.members[index_of(group.array.neighbour(first, dimension, k))]);
    }
  }
}

/// max_c and max_r of the paper: the most ranks on one line along the dimension that hold anything.
Rank most_on_a_line(const ArrayGroup& group, int dimension, const std::vector<bool>& holds) {
  std::vector<std::vector<Rank>> lines;
  append_lines(group, dimension, lines);
  Rank most = 0;
  for (const std::vector<Rank>& line : lines) {
    const auto count =
        std::ranges::count_if(line, [&](Rank rank) { return holds[index_of(rank)]; });
    most = std::max(most, static_cast<Rank>(count));
  }
  return most;
}

std::vector<int> dimensions_of(const Extents& array) {
  std::vector<int> dimensions(static_cast<std::size_t>(array.dimensions()));
  std::iota(dimensions.begin(), dimensions.end(), 0);
  return dimensions;
}

/// The shortest lines first. By shape (Br_xy_dim) rows come first, which lie along the last
/// dimension, if there are no more columns than rows: of equal lines the last in any number of
/// dimensions, and by another pattern the first.
std::vector<int> order_by_extent(ArrayPattern pattern, const Extents& array) {
  std::vector<int> order = dimensions_of(array);
  if (pattern == ArrayPattern::by_shape) std::ranges::reverse(order);
  std::ranges::stable_sort(order, {}, [&](int dimension) { return array.extent(dimension); });
  return order;
}

/// By source (Br_xy_source) rows come first if max_r < max_c: the lines with the fewest sources
/// first, of equal ones the first dimension.
std::vector<int> order_by_sources(const ArrayGroup& group, const std::vector<bool>& holds) {
  std::vector<int> order = dimensions_of(group.array);
  std::vector<Rank> most;
  for (const int dimension : order) most.push_back(most_on_a_line(group, dimension, holds));
  std::ranges::stable_sort(
      order, {}, [&](int dimension) { return most[static_cast<std::size_t>(dimension)]; });
  return order;
}

std::string lines_name(const Extents& array, int dimension) {
  if (array.dimensions() == 1) return "the line";
  if (array.dimensions() > 2) return fmt::format("dimension {}", dimension + 1);
  return dimension == 0 ? "the columns" : "the rows";
}

}  // namespace

ArrayGroup ArrayGroup::whole(const Extents& array) {
  std::vector<Rank> members(index_of(array.ranks()));
  std::iota(members.begin(), members.end(), 0);
  return {array, std::move(members)};
}

std::vector<ArrayGroup> ArrayGroup::halves(const Extents& array) {
  if (array.ranks() == 1) return {whole(array)};
  const auto extent_of = [&](int dimension) { return array.extent(dimension); };
  const int longest = std::ranges::max(dimensions_of(array), {}, extent_of);
  const Rank half = array.extent(longest) - array.extent(longest) / 2;
  std::vector<Rank> first_extents;
  std::vector<Rank> second_extents;
  for (const int dimension : dimensions_of(array)) {
    const Rank extent = array.extent(dimension);
    first_extents.push_back(dimension == longest ? half : extent);
    second_extents.push_back(dimension == longest ? extent - half : extent);
  }
  std::vector<Rank> first;
  std::vector<Rank> second;
  for (Rank rank = 0; rank < array.ranks(); ++rank) {
    (array.coordinate(rank, longest) < half ? first : second).push_back(rank);
  }
  return {{Extents(std::move(first_extents)), std::move(first)},
          {Extents(std::move(second_extents)), std::move(second)}};
}

void append_spreading(ArrayPattern pattern, const std::vector<ArrayGroup>& groups,
                      const std::vector<bool>& holds, Phases& phases) {
  const auto ranks = static_cast<Rank>(holds.size());
  std::vector<std::vector<Rank>> lines;
  if (pattern == ArrayPattern::line) {
    for (const ArrayGroup& group : groups) lines.push_back(snake(group));
    phases.push_back(std::make_unique<HalvingPhase>(Lines(ranks, lines),
                                                    groups.size() > 1 ? "both lines" : "the line"));
    return;
  }
  std::vector<std::vector<int>> orders;
  for (const ArrayGroup& group : groups) {
    orders.push_back(pattern == ArrayPattern::by_shape ? order_by_extent(pattern, group.array)
                                                       : order_by_sources(group, holds));
  }
  for (std::size_t turn = 0; turn < orders.front().size(); ++turn) {
    lines.clear();
    for (std::size_t g = 0; g < groups.size(); ++g) append_lines(groups[g], orders[g][turn], lines);
    const std::string where = lines_name(groups.front().array, orders.front()[turn]);
    phases.push_back(std::make_unique<HalvingPhase>(
        Lines(ranks, lines), groups.size() > 1 ? fmt::format("{} of both halves", where) : where));
  }
}

std::vector<Rank> ideal_places(ArrayPattern pattern, const ArrayGroup& group, Rank count) {
  std::vector<Rank> places;
  if (pattern == ArrayPattern::line) {
    places = snake(group);
    places.resize(index_of(count));
    return places;
  }
  const Extents& array = group.array;
  // In which the ideal sources leave the dimensions to be spread along.
  const std::vector<int> order = order_by_extent(pattern, array);
  for (Rank k = 0; k < count; ++k) {
    std::vector<Rank> coordinates(order.size());
    Rank rest = k;
    for (auto dimension = order.rbegin(); dimension != order.rend(); ++dimension) {
      coordinates[static_cast<std::size_t>(*dimension)] = rest % array.extent(*dimension);
      rest /= array.extent(*dimension);
    }
    places.push_back(group.members[index_of(array.rank_at(coordinates))]);
  }
  return places;
}

std::vector<Rank> move_to(const Sources& sources, std::vector<Rank> places) {
  std::vector<Rank> target(sources.lengths().size(), kNoRank);
  std::ranges::sort(places);
  std::vector<Rank> free;
  for (const Rank place : places) {
    if (sources.is_source(place)) {
      target[index_of(place)] = place;
    } else {
      free.push_back(place);
    }
  }
  auto next = free.begin();
  for (const Rank source : sources.list()) {
    if (target[index_of(source)] == kNoRank) target[index_of(source)] = *next++;
  }
  return target;
}

std::string pattern_name(const PatternNames& names, ArrayPattern pattern, const Extents& array) {
  const std::string name = names[static_cast<std::size_t>(pattern)];
  const bool is_line = pattern == ArrayPattern::line && array.dimensions() == 1;
  return is_line ? name : fmt::format("{}:{}", name, array.name());
}

}  // namespace shunt
