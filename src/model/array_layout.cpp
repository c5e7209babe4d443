#include "model/array_layout.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "model/ldd.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// So that sums of indices and blocks fit into 64 bits.
constexpr Index kMostIndices = Index{1} << 61;

void expect_dimension(const BlockCyclic& dimension, std::size_t number, std::string_view what) {
  const auto wrong = [&](std::string_view part, Index value, std::string_view rule) {
    return Error(ErrorKind::argument, fmt::format("{}: the {} of dimension {} is {}; it is {}",
                                                  what, part, number, value, rule));
  };
  if (dimension.extent < 0) throw wrong("extent", dimension.extent, "at least 0");
  if (dimension.extent > kMostIndices) throw wrong("extent", dimension.extent, "at most 2^61");
  if (dimension.block < 1) throw wrong("block", dimension.block, "at least 1");
  if (dimension.places < 1) throw wrong("number of places", dimension.places, "at least 1");
  if (dimension.first < 0 || dimension.first >= dimension.places) {
    throw wrong("first place", dimension.first,
                fmt::format("at least 0 and below {}", dimension.places));
  }
  (void)block_stride(dimension.places, dimension.block);
}

void expect_ranks(const ArrayLayout& layout, Rank places, Rank ranks, std::string_view what) {
  if (layout.ranks.empty()) {
    if (places <= ranks) return;
    throw Error(ErrorKind::argument,
                fmt::format("{}: the grid has {} places; there are {} ranks", what, places, ranks));
  }
  if (std::ssize(layout.ranks) != places) {
    throw Error(ErrorKind::count,
                fmt::format("{}: there are {} ranks for the {} places of the grid", what,
                            layout.ranks.size(), places));
  }
  std::vector<Rank> sorted = layout.ranks;
  std::ranges::sort(sorted);
  for (const Rank outside : {sorted.front(), sorted.back()}) {
    if (outside >= 0 && outside < ranks) continue;
    throw Error(ErrorKind::rank, fmt::format("{}: rank {} is in the grid; ranks are 0 to {}", what,
                                             outside, ranks - 1));
  }
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    throw Error(ErrorKind::rank, fmt::format("{}: rank {} is in the grid twice", what, *twice));
  }
}

}  // namespace

Rank grid_places(const ArrayLayout& layout) {
  Rank places = 1;
  for (const BlockCyclic& dimension : layout.dimensions) {
    if (__builtin_mul_overflow(places, dimension.places, &places)) {
      throw Error(ErrorKind::count, "a grid has more places than there can be ranks");
    }
  }
  return places;
}

void expect_layout(const ArrayLayout& layout, Rank ranks, std::string_view what) {
  if (layout.dimensions.empty()) {
    throw Error(ErrorKind::argument, fmt::format("{} has no dimension; it has at least one", what));
  }
  for (std::size_t d = 0; d < layout.dimensions.size(); ++d) {
    expect_dimension(layout.dimensions[d], d, what);
  }
  expect_ranks(layout, grid_places(layout), ranks, what);
}

std::optional<Place> place_of(const ArrayLayout& layout, Rank rank) {
  Rank number = rank;
  if (!layout.ranks.empty()) {
    const auto found = std::ranges::find(layout.ranks, rank);
    if (found == layout.ranks.end()) return std::nullopt;
    number = static_cast<Rank>(found - layout.ranks.begin());
  } else if (rank >= grid_places(layout)) {
    return std::nullopt;
  }
  Place place(layout.dimensions.size());
  for (std::size_t d = place.size(); d-- > 0;) {
    place[d] = number % layout.dimensions[d].places;
    number /= layout.dimensions[d].places;
  }
  return place;
}

Rank rank_at(const ArrayLayout& layout, const Place& place) {
  Rank number = 0;
  for (std::size_t d = 0; d < place.size(); ++d) {
    number = number * layout.dimensions[d].places + place[d];
  }
  return layout.ranks.empty() ? number : layout.ranks[static_cast<std::size_t>(number)];
}

std::vector<Index> local_extents(const ArrayLayout& layout, const Place& place) {
  std::vector<Index> extents(place.size());
  for (std::size_t d = 0; d < place.size(); ++d) {
    extents[d] = layout.dimensions[d].count(place[d]);
  }
  return extents;
}

std::vector<Index> dense_strides(const std::vector<Index>& extents, Order order) {
  // Nothing lies in a part without elements, however long its other dimensions are.
  if (std::ranges::count(extents, 0) > 0) return std::vector<Index>(extents.size(), 1);
  std::vector<Index> strides(extents.size());
  Index stride = 1;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    const std::size_t d = order == Order::column_major ? k : extents.size() - 1 - k;
    strides[d] = stride;
    if (__builtin_mul_overflow(stride, extents[d], &stride)) {
      throw Error(ErrorKind::count, "a rank's part of an array has more than 2^63 elements");
    }
  }
  return strides;
}

}  // namespace shunt
