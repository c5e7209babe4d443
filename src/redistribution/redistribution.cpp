#include "redistribution/redistribution.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "routing/axis_runs.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

void expect_side(const ArraySide& side, const std::vector<Index>& extents, Rank ranks,
                 std::string_view what) {
  const std::vector<BlockCyclic>& dimensions = side.layout.dimensions;
  expect_layout(side.layout, ranks, what);
  if (dimensions.size() != extents.size()) {
    throw Error(ErrorKind::argument, fmt::format("{} has {} dimensions; the part has {}", what,
                                                 dimensions.size(), extents.size()));
  }
  if (side.begin.size() != extents.size()) {
    throw Error(ErrorKind::argument, fmt::format("{}: the part begins at {} indices; it has {} "
                                                 "dimensions",
                                                 what, side.begin.size(), extents.size()));
  }
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const std::size_t axis = side.axes[d];
    const Index begin = side.begin[axis];
    if (begin < 0 || extents[d] < 0 || extents[d] > dimensions[axis].extent - begin) {
      throw Error(ErrorKind::argument,
                  fmt::format("{}: the part has {} indices from {} in dimension {}, which has {}",
                              what, extents[d], begin, axis, dimensions[axis].extent));
    }
  }
}

std::vector<std::size_t> axes_in_order(std::size_t dimensions) {
  std::vector<std::size_t> axes(dimensions);
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  return axes;
}

/// Dimension d of the one array is this dimension of the other one: a permutation.
std::vector<std::size_t> to_axes_of(const ArraySection& section, std::size_t dimensions) {
  if (section.to_axes.empty()) return axes_in_order(dimensions);
  std::vector<std::size_t> sorted = section.to_axes;
  std::ranges::sort(sorted);
  if (sorted != axes_in_order(dimensions)) {
    throw Error(ErrorKind::argument,
                fmt::format("to_axes is {}; it names each of the dimensions 0 to {} once",
                            fmt::join(section.to_axes, ", "), dimensions - 1));
  }
  return section.to_axes;
}

ArraySide side_of(const ArrayLayout& layout, const std::vector<Index>& begin,
                  std::vector<std::size_t> axes) {
  return {layout, begin.empty() ? std::vector<Index>(axes.size(), 0) : begin, std::move(axes)};
}

std::vector<Index> extents_of(const ArrayLayout& from, const ArraySection& section) {
  if (!section.extents.empty()) return section.extents;
  std::vector<Index> extents;
  for (const BlockCyclic& dimension : from.dimensions) extents.push_back(dimension.extent);
  return extents;
}

/// What a place has to do with a coordinate of the other layout, along one dimension.
struct Met {
  Rank coordinate;
  std::shared_ptr<const AxisRuns> runs;
};

std::vector<Met> coordinates_met(const AxisPlace& mine, const BlockCyclic& other, Index other_begin,
                                 Index extent) {
  std::vector<Met> met;
  for (Rank coordinate = 0; coordinate < other.places; ++coordinate) {
    auto runs = std::make_shared<const AxisRuns>(
        runs_in_common(mine, {other, coordinate, other_begin}, extent));
    if (runs->count() > 0) met.push_back({coordinate, std::move(runs)});
  }
  return met;
}

}  // namespace

Redistribution::Redistribution(ArraySide from, ArraySide to, std::vector<Index> extents, Rank ranks)
    : from_(std::move(from)), to_(std::move(to)), extents_(std::move(extents)), ranks_(ranks) {
  expect_side(from_, extents_, ranks, "the array to redistribute");
  expect_side(to_, extents_, ranks, "the array to redistribute to");
  order_ = axes_in_order(extents_.size());
  std::ranges::sort(order_, {}, [this](std::size_t d) { return from_.axes[d]; });
  if (from_.layout.order == Order::column_major) std::ranges::reverse(order_);
}

Redistribution::Redistribution(const ArrayLayout& from, const ArrayLayout& to,
                               const ArraySection& section, Rank ranks)
    : Redistribution(side_of(from, section.from_begin, axes_in_order(from.dimensions.size())),
                     side_of(to, section.to_begin, to_axes_of(section, from.dimensions.size())),
                     extents_of(from, section), ranks) {}

std::vector<BoxMessage> Redistribution::messages(const ArraySide& mine, const ArraySide& other,
                                                 Rank rank, std::span<const Bytes> strides,
                                                 Bytes element) const {
  const std::optional<Place> place = place_of(mine.layout, rank);
  if (!place) return {};
  std::vector<std::vector<Met>> met;  // in the order of the dimensions of a message
  std::vector<std::size_t> counts;
  for (const std::size_t d : order_) {
    const std::size_t axis = mine.axes[d];
    const std::size_t other_axis = other.axes[d];
    met.push_back(coordinates_met({mine.layout.dimensions[axis], (*place)[axis], mine.begin[axis]},
                                  other.layout.dimensions[other_axis], other.begin[other_axis],
                                  extents_[d]));
    if (met.back().empty()) return {};
    counts.push_back(met.back().size());
  }
  std::vector<BoxMessage> messages;
  for_each_place(counts, [&](const std::vector<std::size_t>& choice) {
    Place peer(choice.size());
    BoxMessage message{kNoRank, {{}, element}};
    for (std::size_t k = 0; k < choice.size(); ++k) {
      const Met& chosen = met[k][choice[k]];
      peer[other.axes[order_[k]]] = chosen.coordinate;
      message.box.axes.push_back({chosen.runs, strides[mine.axes[order_[k]]]});
    }
    message.peer = rank_at(other.layout, peer);
    messages.push_back(std::move(message));
  });
  return messages;
}

}  // namespace shunt
