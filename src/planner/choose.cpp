#include "planner/choose.hpp"

#include <algorithm>

#include "algorithms/registry.hpp"

namespace shunt {

namespace {

struct Expected {
  std::string name;
  double seconds;
};

}  // namespace

std::vector<std::string> likely_algorithms(Rank ranks, const TrafficBound& traffic,
                                           const LinkCost& cost) {
  const auto count = static_cast<std::size_t>(ranks);
  const Loads loads{std::vector<Bytes>(count, traffic.largest_load),
                    std::vector<Bytes>(count, traffic.largest_load), traffic.longest_block};
  std::vector<Expected> candidates;
  for (const char* name : {"a1", "a2", "a3", "a4", "stages:3", "collect:3"}) {
    candidates.push_back({name, make_algorithm(name, ranks, 1)->predict(loads, cost)});
  }
  std::ranges::stable_sort(candidates, {}, &Expected::seconds);
  constexpr std::size_t kMost = 4;
  constexpr double kWithin = 2;
  std::vector<std::string> names;
  for (const Expected& candidate : candidates) {
    const bool likely =
        names.size() < kMost && candidate.seconds <= kWithin * candidates.front().seconds;
    if (likely || candidate.name == "a1") names.push_back(candidate.name);
  }
  return names;
}

std::vector<std::string> likely_node_algorithms(const Machine& machine, const TrafficBound& traffic,
                                                Bytes most) {
  if (machine.nodes() == 1 || machine.nodes() == machine.ranks()) return {};
  std::vector<std::string> names{"hierarchical-factor"};
  if (machine.size_of(machine.largest_node()) * traffic.largest_load <= most) {
    names.emplace_back("aggregate:1");
  }
  return names;
}

}  // namespace shunt
