#include "planner/choose.hpp"

#include <algorithm>

#include "algorithms/broadcast_registry.hpp"
#include "algorithms/registry.hpp"

namespace shunt {

namespace {

struct Expected {
  std::string name;
  double seconds;
};

/// Those within twice the least time, the best first.
std::vector<std::string> likely(std::vector<Expected> candidates) {
  std::ranges::stable_sort(candidates, {}, &Expected::seconds);
  constexpr std::size_t kMost = 4;
  constexpr double kWithin = 2;
  std::vector<std::string> names;
  for (const Expected& candidate : candidates) {
    if (names.size() == kMost || candidate.seconds > kWithin * candidates.front().seconds) break;
    names.push_back(candidate.name);
  }
  return names;
}

/// The broadcast in which every source sends to every rank.
constexpr const char* kDirect = "pers-all-to-all";

/// The one in which a single rank gathers all blocks and passes them on.
constexpr const char* kGathering = "2-step";

/// In one node a message costs about as much processor time whoever sends it, and each stage that
/// waits for another one costs more: on 16 ranks that shared two processors this was faster than
/// all others but with short blocks of most ranks.
bool goes_straight_in_a_node(const Sources& sources) {
  constexpr Bytes kLong = 32768;
  const Bytes count = sources.count();
  return 2 * count <= sources.ranks() || sources.total() >= kLong * count;
}

bool has_nodes(const Machine& machine) {
  return machine.nodes() > 1 && machine.nodes() < machine.ranks();
}

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
  std::vector<std::string> names = likely(candidates);
  if (std::ranges::find(names, "a1") == names.end()) names.emplace_back("a1");
  return names;
}

std::vector<std::string> likely_node_algorithms(const Machine& machine, const TrafficBound& traffic,
                                                Bytes most) {
  if (!has_nodes(machine)) return {};
  std::vector<std::string> names{"hierarchical-factor"};
  if (machine.size_of(machine.largest_node()) * traffic.largest_load <= most) {
    names.emplace_back("aggregate:1");
  }
  return names;
}

std::vector<std::string> likely_broadcasts(const Sources& sources, const Surroundings& surroundings,
                                           const LinkCost& cost, bool boards) {
  std::vector<Expected> candidates;
  for (const char* name :
       {"br-dissemination", "br-lin", "scatter-first", "2-step", "br-ring", "pers-all-to-all"}) {
    candidates.push_back({name, make_broadcast(name, sources, surroundings, cost)->predict(cost)});
  }
  std::vector<std::string> names = likely(candidates);
  const auto put_first = [&names](const char* name) {
    std::erase(names, name);
    names.insert(names.begin(), name);
  };
  const std::shared_ptr<const Machine> machine = surroundings.machine();
  if (has_nodes(*machine)) {
    put_first("br-nodes");
    if (boards) put_first("br-nodes-direct");
  } else if (machine->nodes() == 1) {
    if (boards || goes_straight_in_a_node(sources)) {
      put_first(kDirect);
    } else if (std::ranges::find(names, kGathering) == names.end()) {
      // The model charges the one rank for every message. Where ranks share processors that costs
      // no more than messages between the others, and each of these waits but twice for another.
      names.emplace_back(kGathering);
    }
  }
  return names;
}

}  // namespace shunt
