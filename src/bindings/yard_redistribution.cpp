#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "algorithms/redistribution/redistribution.hpp"
#include "bindings/block_calls.hpp"
#include "bindings/checked.hpp"
#include "bindings/plan_implementation.hpp"
#include "exchange/redistribution_run.hpp"
#include "exchange/yard_state.hpp"
#include "model/array_layout.hpp"
#include "shunt/yard.hpp"

namespace shunt {

namespace {

/// The strides of a rank's part in bytes. `memory` bytes are where it is kept.
std::vector<Bytes> strides_in_bytes(const ArrayLayout& layout, const std::vector<Index>& strides,
                                    Rank rank, Bytes memory, Bytes element, std::string_view what) {
  const std::size_t dimensions = layout.dimensions.size();
  if (!strides.empty() && strides.size() != dimensions) {
    throw Error(ErrorKind::count, fmt::format("{} has {} strides and {} dimensions", what,
                                              strides.size(), dimensions));
  }
  const std::optional<Place> place = place_of(layout, rank);
  if (!place) return std::vector<Bytes>(dimensions, element);
  const std::vector<Index> extents = local_extents(layout, *place);
  const std::vector<Index> all = strides.empty() ? dense_strides(extents, layout.order) : strides;
  const bool has_elements = std::ranges::count(extents, 0) == 0;
  std::vector<Bytes> bytes;
  Bytes end = element;
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (has_elements && extents[d] > 1 && all[d] < 1) {
      throw Error(ErrorKind::argument,
                  fmt::format("{}: stride {} is {}; it is at least 1", what, d, strides[d]));
    }
    bytes.push_back(times(all[d], element, "a stride"));
    const Bytes reach = times(std::max(extents[d] - 1, Index{0}), bytes.back(), "the reach");
    end = plus(end, reach, "the part of a rank");
  }
  if (has_elements && end > memory) {
    throw Error(ErrorKind::buffer,
                fmt::format("{}: the part of rank {} ends {} bytes after its beginning; its memory "
                            "has {}",
                            what, rank, end, memory));
  }
  return bytes;
}

std::vector<Index> begin_or_zero(const std::vector<Index>& begin, std::size_t dimensions) {
  return begin.empty() ? std::vector<Index>(dimensions, 0) : begin;
}

/// `to_axes`, checked to be a permutation.
std::vector<std::size_t> axes_of(const ArraySection& section, std::size_t dimensions) {
  std::vector<std::size_t> same(dimensions);
  std::iota(same.begin(), same.end(), std::size_t{0});
  if (section.to_axes.empty()) return same;
  std::vector<std::size_t> sorted = section.to_axes;
  std::ranges::sort(sorted);
  if (sorted != same) {
    throw Error(ErrorKind::argument,
                fmt::format("to_axes is {}; it names each of the dimensions 0 to {} once",
                            fmt::join(section.to_axes, ", "), dimensions - 1));
  }
  return section.to_axes;
}

Redistribution redistribution_of(const ArrayLayout& from, const ArrayLayout& to,
                                 const ArraySection& section, Rank ranks) {
  expect_layout(from, ranks, "the array to redistribute");
  expect_layout(to, ranks, "the array to redistribute to");
  const std::size_t dimensions = from.dimensions.size();
  std::vector<Index> extents = section.extents;
  if (extents.empty()) {
    for (const BlockCyclic& dimension : from.dimensions) extents.push_back(dimension.extent);
  }
  std::vector<std::size_t> from_axes(dimensions);
  std::iota(from_axes.begin(), from_axes.end(), std::size_t{0});
  return {{from, begin_or_zero(section.from_begin, dimensions), std::move(from_axes)},
          {to, begin_or_zero(section.to_begin, dimensions), axes_of(section, dimensions)},
          std::move(extents),
          ranks};
}

}  // namespace

Plan Yard::plan_redistribution_bytes(const DistributedArray<const std::byte>& from,
                                     const DistributedArray<std::byte>& to,
                                     const ArraySection& section, std::size_t element,
                                     const Options& options) {
  if (options.algorithm != kAuto) {
    throw Error(ErrorKind::argument, fmt::format("the algorithm of a redistribution is \"{}\"; it "
                                                 "is \"auto\"",
                                                 options.algorithm));
  }
  const auto bytes = static_cast<Bytes>(element);
  const Redistribution redistribution = redistribution_of(from.layout, to.layout, section, ranks());
  const LocalArrays arrays{
      strides_in_bytes(from.layout, from.strides, rank(), std::ssize(from.part), bytes,
                       "the array to redistribute"),
      strides_in_bytes(to.layout, to.strides, rank(), std::ssize(to.part), bytes,
                       "the array to redistribute to"),
      bytes};
  auto run = std::make_unique<RedistributionRun>(state_, options, redistribution, arrays);
  run->bind(from.part.data(), to.part.data());
  PlannedBlocks planned{options, {}, {}, nullptr};
  planned.stage_names.emplace_back("redistribution");
  planned.exchange = std::move(run);
  return Plan(std::make_unique<Plan::Implementation>(state_, std::move(planned)));
}

}  // namespace shunt
