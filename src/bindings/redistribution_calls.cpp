#include "bindings/redistribution_calls.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "algorithms/redistribution/redistribution.hpp"
#include "bindings/checked.hpp"
#include "exchange/redistribution_run.hpp"
#include "model/array_layout.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

void expect_room(const LocalPart& part, Bytes memory, Rank rank, std::string_view what) {
  if (part.end <= memory) return;
  throw Error(ErrorKind::buffer,
              fmt::format("{}: the part of rank {} ends {} bytes after its beginning; its memory "
                          "has {}",
                          what, rank, part.end, memory));
}

}  // namespace

LocalPart local_part(const ArrayLayout& layout, const std::vector<Index>& strides, Rank rank,
                     Bytes element, std::string_view what) {
  const std::size_t dimensions = layout.dimensions.size();
  if (!strides.empty() && strides.size() != dimensions) {
    throw Error(ErrorKind::count, fmt::format("{} has {} strides and {} dimensions", what,
                                              strides.size(), dimensions));
  }
  const std::optional<Place> place = place_of(layout, rank);
  if (!place) return {std::vector<Bytes>(dimensions, element), 0};
  const std::vector<Index> extents = local_extents(layout, *place);
  const std::vector<Index> all = strides.empty() ? dense_strides(extents, layout.order) : strides;
  const bool has_elements = std::ranges::count(extents, 0) == 0;
  LocalPart part;
  Bytes end = element;
  for (std::size_t d = 0; d < dimensions; ++d) {
    if (has_elements && extents[d] > 1 && all[d] < 1) {
      throw Error(ErrorKind::argument,
                  fmt::format("{}: stride {} is {}; it is at least 1", what, d, strides[d]));
    }
    part.strides.push_back(times(all[d], element, "a stride"));
    const Bytes reach = times(std::max(extents[d] - 1, Index{0}), part.strides.back(), "the reach");
    end = plus(end, reach, "the part of a rank");
  }
  if (has_elements) part.end = end;
  return part;
}

PlannedBlocks plan_redistribution(const std::shared_ptr<YardState>& yard, const Options& options,
                                  const DistributedArray<const std::byte>& from,
                                  const DistributedArray<std::byte>& to,
                                  const ArraySection& section, Bytes element,
                                  ElementUpdate update) {
  if (options.algorithm != kAuto) {
    throw Error(ErrorKind::argument, fmt::format("the algorithm of a redistribution is \"{}\"; it "
                                                 "is \"auto\"",
                                                 options.algorithm));
  }
  const Redistribution redistribution(from.layout, to.layout, section, yard->ranks());
  const Rank rank = yard->rank();
  LocalPart source =
      local_part(from.layout, from.strides, rank, element, "the array to redistribute");
  expect_room(source, std::ssize(from.part), rank, "the array to redistribute");
  LocalPart target =
      local_part(to.layout, to.strides, rank, element, "the array to redistribute to");
  expect_room(target, std::ssize(to.part), rank, "the array to redistribute to");
  auto run = std::make_unique<RedistributionRun>(
      yard, options, redistribution,
      LocalArrays{std::move(source.strides), std::move(target.strides), element});
  run->bind(from.part.data(), to.part.data(), std::move(update));
  PlannedBlocks planned{options, {}, {}, nullptr};
  planned.stage_names.emplace_back("redistribution");
  planned.exchange = std::move(run);
  return planned;
}

}  // namespace shunt
