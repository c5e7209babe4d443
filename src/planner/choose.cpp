#include "planner/choose.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include "algorithms/broadcast/laned.hpp"
#include "algorithms/broadcast_registry.hpp"
#include "algorithms/registry.hpp"
#include "exchange/node/loans.hpp"
#include "exchange/simulated.hpp"
#include "schedule/halving.hpp"
#include "shunt/options.hpp"

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

/// Whether the rank that gathers has no more start-ups than any that exchanges in each stage: where
/// ranks share processors, what all of them send together counts, and that is least then.
bool gathers_few(const Sources& sources) {
  return sources.count() <= 2 * Halving(sources.ranks()).stages();
}

/// Nodes so few that a rank may send straight to all others.
constexpr Rank kFewNodes = 8;

/// Whether short blocks leave a single node for few others: so few messages that passing them on,
/// a wait for each node on the way, costs more than sending all of them.
bool fans_out(const Sources& sources, const Machine& machine) {
  constexpr Bytes kShort = 1024;
  if (sources.count() == 0 || sources.total() > kShort || machine.nodes() > kFewNodes) return false;
  const Rank node = machine.node_of(sources.list().front());
  return std::ranges::all_of(sources.list(),
                             [&](Rank source) { return machine.node_of(source) == node; });
}

bool has_nodes(const Machine& machine) {
  return machine.nodes() > 1 && machine.nodes() < machine.ranks();
}

/// Those of which one was the fastest, with blocks of every length: the first on 16 x 16 simulated
/// ranks, the second with long blocks on 8 x 8.
std::vector<std::string> families_for(const Extents& torus) {
  const auto all_multiples_of = [&torus](int number) {
    return torus.extent(0) % number == 0 && torus.extent(1) % number == 0;
  };
  const bool flat = torus.dimensions() == 2;
  if (flat && all_multiples_of(4)) return {"torus", "torus-pipeline"};
  if (flat && all_multiples_of(2)) return {"torus-pipeline"};
  return {"split"};
}

/// Whether a block may be most of what a rank sends: many of them may share a link unless each goes
/// by way of many ranks. From all ranks of a simulated machine to their mirror images A2 took 0.71
/// of A1's time with 256 KiB on a torus of 8 x 8, and 0.40 with 4 MiB on a fat tree of 256 ranks;
/// A4 took 0.59 with 256 KiB there.
bool goes_one_way(const TrafficBound& traffic) {
  return 2 * traffic.longest_block > traffic.largest_load;
}

/// So few have one switch, where no blocks share a link but those of the same node.
constexpr Rank kNodesOfASwitch = 16;

/// So many times as long may what spreads long blocks be expected to take, and be faster.
constexpr double kWorthSpreading = 4;

/// What a message of a broadcast costs, by the flat model: each waits for one of the step before.
LinkCost link_of(const ExchangeCosts& costs, const Machine& machine) {
  if (machine.nodes() == 1) {
    return {costs.stage + costs.inside_start_up, costs.inside_per_byte, costs.copy_per_byte};
  }
  return {costs.stage + costs.outside_start_up, costs.outside_per_byte + costs.way_out_per_byte,
          costs.copy_per_byte};
}

/// Whether one passes by each node once on the way from rank to rank.
bool follows_nodes(const Machine& machine) {
  Rank crossings = 0;
  for (Rank rank = 0; rank < machine.ranks(); ++rank) {
    const Rank next = (rank + 1) % machine.ranks();
    crossings += machine.node_of(rank) != machine.node_of(next) ? 1 : 0;
  }
  return crossings == machine.nodes();
}

/// As many bytes in all as make it worth while for all ranks of a node to pass on a part of them:
/// on 64 simulated nodes of 16 ranks with one way out each, 4 KiB took 1.8 times as long as through
/// one rank a node, 64 KiB half as long.
constexpr Bytes kWorthLanes = 32768;

/// Whether so much goes round the ring of nodes that it does not count that a piece waits on its
/// way at each. Between four hosts of 8 ranks at 200 Mbit/s, with 64 KiB in all and more, the ring
/// took 0.4 to 1.0 of the time of the fastest other one, and with 4 KiB up to 1.35 times as long.
bool fills_ring(const Sources& sources, const Machine& machine) {
  constexpr Bytes kOfEachNode = 16384;
  return sources.total() >= kOfEachNode * machine.nodes();
}

/// Bytes of the node that has the most.
Bytes most_of_a_node(const Sources& sources, const Machine& machine) {
  return std::ranges::max(bytes_by_node(sources, machine));
}

/// Whether so many blocks pass through neighbours that all links are busy nearly all of the time,
/// and p / 2 start-ups do not count: there 4 KiB of each rank took 0.7 of the time of lanes. Where
/// 6 of 64 nodes had all of 32 blocks they came in a row, and took 1.8 times as long.
bool fills_neighbours(const Sources& sources, const Machine& machine) {
  constexpr Bytes kLong = 4096;
  constexpr Bytes kManyBlocks = 16;
  constexpr Bytes kUneven = 8;
  return sources.ranks() % 2 == 0 && sources.total() >= kLong * sources.ranks() &&
         sources.total() >= kManyBlocks * sources.length(sources.longest()) &&
         kUneven * sources.total() >= machine.nodes() * most_of_a_node(sources, machine) &&
         follows_nodes(machine);
}

}  // namespace

std::vector<std::string> likely_algorithms(const Profile& profile, const Machine& machine,
                                           const TrafficSummary& traffic, CallForm form) {
  std::vector<const char*> considered{kStraight,  "a2",        "a3",      "a4",
                                      "stages:3", "collect:3", "radix:2", "radix:4"};
  if (has_nodes(machine)) considered.insert(considered.end(), {"radix-nodes", "nodes-radix"});
  std::vector<Expected> candidates;
  for (const char* name : considered) {
    const auto algorithm = make_algorithm(name, machine, Options{}.grain);
    // Everything else of one stage sends the messages of A1, by way of buffers.
    if (algorithm->stages() == 1 && algorithm->name() != kStraight) continue;
    candidates.push_back({name, expected_seconds(profile, *algorithm, machine, traffic, form)});
  }
  std::vector<std::string> names = likely(candidates);
  const auto add = [&names](const char* name) {
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  };
  add(kStraight);
  if (machine.nodes() > kNodesOfASwitch && goes_one_way(traffic.bound)) {
    const double straight = std::ranges::find(candidates, kStraight, &Expected::name)->seconds;
    for (const char* name : {"a2", "a4"}) {
      // With the finest grain: what a coarser one may add is for short blocks, in the worst case.
      const auto spread = make_algorithm(name, machine, 1);
      const double seconds = expected_seconds(profile, *spread, machine, traffic, form);
      if (seconds <= kWorthSpreading * straight) add(name);
    }
  }
  return names;
}

std::vector<std::string> likely_node_algorithms(const Machine& machine, const TrafficBound& traffic,
                                                Bytes most) {
  if (!has_nodes(machine)) return {};
  std::vector<std::string> names{"hierarchical-factor"};
  if (machine.size_of(machine.largest_node()) * traffic.largest_load <= most) {
    names.insert(names.end(), {"aggregate:1", "aggregate:2"});
  }
  return names;
}

Configuration straight_once(const Options& asked) {
  Configuration configuration = with_algorithm(kStraight, asked);
  configuration.shared_memory = true;
  configuration.single_copy = true;
  return configuration;
}

std::vector<Configuration> likely_single_copies(const Profile& profile, const Machine& machine,
                                                const TrafficBound& traffic, const Options& asked) {
  const bool shares = asked.shared_memory && asked.mode != Mode::blocking && !kSimulated &&
                      machine.nodes() < machine.ranks();
  if (!shares || traffic.longest_block < kLeastLent) return {};
  // What a network takes ten times as long for as a copy does is all that counts.
  constexpr double kSlowNetwork = 2e-9;
  const ExchangeCosts& costs = profile.plan;
  const double out = costs.outside_per_byte + costs.way_out_per_byte + costs.far_per_byte;
  if (machine.nodes() > 1 && out > kSlowNetwork) return {};
  return {straight_once(asked)};
}

Configuration usual_configuration(const TrafficBound& traffic, const Options& asked,
                                  const std::vector<Configuration>& single_copies) {
  // How long two copies take depends on the minute, one copy never took much longer than MPI's own:
  // with 4 and 8 MiB of 2 to 16 ranks on two processors two took 0.64 to 1.2 times as long as one
  // in a good hour, and up to 2.6 times in a bad one.
  constexpr Bytes kBeyondCaches = Bytes{2} << 20;
  const bool once = !single_copies.empty() && traffic.largest_load >= kBeyondCaches;
  return once ? single_copies.front() : with_algorithm(kStraight, asked);
}

std::vector<std::string> likely_torus_algorithms(const Surroundings& surroundings,
                                                 const TrafficBound& traffic, Bytes most) {
  const std::shared_ptr<const Machine> machine = surroundings.machine();
  if (machine->nodes() < machine->ranks()) return {};
  const std::optional<Extents> torus = surroundings.torus();
  if (!torus || torus->dimensions() == 1) return {};
  std::vector<std::string> names;
  for (const std::string& family : families_for(*torus)) {
    const auto algorithm = make_algorithm(family + ":" + torus->name(), machine->ranks(),
                                          Options{}.grain, surroundings);
    const auto fits = [&](Rank rank) { return algorithm->buffer_bound(rank, traffic) <= most; };
    if (std::ranges::all_of(std::views::iota(Rank{0}, machine->ranks()), fits)) {
      names.push_back(algorithm->name());
    }
  }
  return names;
}

std::vector<std::string> likely_broadcasts(const Profile& profile, const Sources& sources,
                                           const Surroundings& surroundings, CallForm form,
                                           bool boards) {
  const std::shared_ptr<const Machine> machine = surroundings.machine();
  const LinkCost cost = link_of(profile.costs(form), *machine);
  std::vector<Expected> candidates;
  for (const char* name :
       {"br-dissemination", "br-lin", "scatter-first", "2-step", "br-ring", kDirectBroadcast}) {
    candidates.push_back({name, make_broadcast(name, sources, surroundings, cost)->predict(cost)});
  }
  std::vector<std::string> names = likely(candidates);
  const auto put_first = [&names](const char* name) {
    std::erase(names, name);
    names.insert(names.begin(), name);
  };
  const auto put_last = [&names](const char* name) {
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  };
  if (has_nodes(*machine)) {
    if (gathers_few(sources)) put_last(kGathering);
    put_first("br-nodes");
    if (sources.total() >= kWorthLanes) put_first("br-nodes-lanes");
    if (boards) {
      put_first("br-nodes-direct");
      if (fills_ring(sources, *machine)) put_first("br-nodes-ring");
      if (fans_out(sources, *machine)) put_first("br-nodes-star");
    } else if (fills_neighbours(sources, *machine)) {
      put_first("br-neighbour");
    }
  } else if (machine->nodes() == 1) {
    if (boards || goes_straight_in_a_node(sources)) {
      put_first(kDirectBroadcast);
    } else {
      // The model charges the one rank for every message. Where ranks share processors that costs
      // no more than messages between the others, and each of these waits but twice for another.
      put_last(kGathering);
    }
  }
  return names;
}

}  // namespace shunt
