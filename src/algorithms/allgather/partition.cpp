#include <algorithm>

#include "algorithms/allgather/array_groups.hpp"
#include "algorithms/allgather/exchange_phase.hpp"
#include "algorithms/allgather/move_phase.hpp"

namespace shunt {

namespace {

constexpr PatternNames kPartitionNames{"partition", "partition-by-source", "partition-by-shape"};

/// The sources that the first group is given: in proportion, and as many as fit into both.
Rank share_of_first(const ArrayGroup& first, const Sources& sources) {
  const Bytes ranks = sources.ranks();
  const Bytes size = first.array.ranks();
  const Bytes rounded = (2 * size * sources.count() + ranks) / (2 * ranks);
  return static_cast<Rank>(std::clamp(rounded, sources.count() - (ranks - size), size));
}

}  // namespace

std::unique_ptr<Allgather> make_partition(ArrayPattern pattern, const Extents& array,
                                          Sources sources) {
  const std::vector<ArrayGroup> groups = ArrayGroup::halves(array);
  const Rank in_first = share_of_first(groups.front(), sources);
  std::vector<Rank> places = ideal_places(pattern, groups.front(), in_first);
  if (groups.size() > 1) {
    const auto in_second = ideal_places(pattern, groups.back(), sources.count() - in_first);
    places.insert(places.end(), in_second.begin(), in_second.end());
  }
  std::vector<bool> holds(sources.lengths().size(), false);
  for (const Rank place : places) holds[static_cast<std::size_t>(place)] = true;
  Phases phases;
  phases.push_back(std::make_unique<MovePhase>(move_to(sources, places), "reposition the sources"));
  append_spreading(pattern, groups, holds, phases);
  if (groups.size() > 1) {
    phases.push_back(
        std::make_unique<ExchangePhase>(groups.front().members, groups.back().members));
  }
  return std::make_unique<PhasedAllgather>(pattern_name(kPartitionNames, pattern, array),
                                           std::move(sources), std::move(phases));
}

}  // namespace shunt
