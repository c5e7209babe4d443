#include <algorithm>

#include <fmt/format.h>

#include "algorithms/allgather/laned.hpp"
#include "planner/candidates.hpp"
#include "schedule/halving.hpp"

namespace shunt {

namespace {

bool on_nodes_with_broadcast_buffers(const AllgathervCase& gather) {
  return on_nodes(gather) && gather.broadcast_buffers;
}

bool in_one_node(const AllgathervCase& gather) { return gather.machine.nodes() == 1; }

/// Then the rank that gathers all has no more start-ups than any that exchanges in each stage.
bool gathers_few(const AllgathervCase& gather) {
  return on_nodes(gather) && gather.sources.count() <= 2 * Halving(gather.sources.ranks()).stages();
}

constexpr Bytes kWorthLanes = 32768;

bool is_worth_lanes(const AllgathervCase& gather) {
  return on_nodes(gather) && gather.sources.total() >= kWorthLanes;
}

constexpr Bytes kRingOfEachNode = 16384;

/// Then it does not count that a piece waits at each node on its way.
bool fills_ring(const AllgathervCase& gather) {
  return on_nodes_with_broadcast_buffers(gather) &&
         gather.sources.total() >= kRingOfEachNode * gather.machine.nodes();
}

constexpr Bytes kShortStar = 1024;
constexpr Rank kNodesOfAStar = 8;

bool fans_out(const AllgathervCase& gather) {
  const Sources& sources = gather.sources;
  const Machine& machine = gather.machine;
  if (!on_nodes_with_broadcast_buffers(gather) || machine.nodes() > kNodesOfAStar) return false;
  if (sources.count() == 0 || sources.total() > kShortStar) return false;
  const Rank node = machine.node_of(sources.list().front());
  return std::ranges::all_of(sources.list(),
                             [&](Rank source) { return machine.node_of(source) == node; });
}

constexpr Bytes kLongForNeighbours = 4096;
constexpr Bytes kBlocksForNeighbours = 16;
constexpr Bytes kUneven = 8;

/// Then all links are busy nearly all of the time, and p / 2 start-ups do not count.
bool fills_neighbours(const AllgathervCase& gather) {
  const Sources& sources = gather.sources;
  const Machine& machine = gather.machine;
  return on_nodes(gather) && !gather.broadcast_buffers && sources.ranks() % 2 == 0 &&
         sources.total() >= kLongForNeighbours * sources.ranks() &&
         sources.total() >= kBlocksForNeighbours * sources.length(sources.longest()) &&
         kUneven * sources.total() >=
             machine.nodes() * std::ranges::max(bytes_by_node(sources, machine)) &&
         machine.crossings() == machine.nodes();
}

constexpr Bytes kLongInANode = 32768;

bool goes_straight_in_a_node(const AllgathervCase& gather) {
  const Sources& sources = gather.sources;
  const Bytes count = sources.count();
  return in_one_node(gather) && (gather.broadcast_buffers || 2 * count <= sources.ranks() ||
                                 sources.total() >= kLongInANode * count);
}

bool passes_on_in_a_node(const AllgathervCase& gather) {
  return in_one_node(gather) && !goes_straight_in_a_node(gather);
}

/// The rules for nodes, which the models of the all-gathers do not cover.
std::vector<CandidateRule<AllgathervCase>> allgatherv_node_rules() {
  const std::string nodes = kOnNodes;
  const std::string sharing_nodes = nodes + ", which share memory";
  return {
      {.candidates = {"gather-broadcast"},
       .place = CandidatePlace::last,
       .when =
           fmt::format("{}, and few sources: at most twice the stages of recursive-halving", nodes),
       .why = "It has the fewest messages; where ranks share processors, all of them count.",
       .applies = gathers_few},
      {.candidates = {"node-halving"},
       .place = CandidatePlace::first,
       .when = nodes,
       .why = "One rank of each node passes on what the others of its node need.",
       .applies = on_nodes},
      {.candidates = {"node-lanes"},
       .place = CandidatePlace::first,
       .when = fmt::format("{}, from {} KiB in all", nodes, kWorthLanes >> 10),
       .why = "On 64 simulated nodes of 16 ranks, with one way out each, 4 KiB took 1.8 times as "
              "long as through one rank a node, 64 KiB half as long.",
       .applies = is_worth_lanes},
      {.candidates = {"node-halving-direct"},
       .place = CandidatePlace::first,
       .when = sharing_nodes,
       .why = "A rank shows its block to all of its node at once.",
       .applies = on_nodes_with_broadcast_buffers},
      {.candidates = {"node-ring"},
       .place = CandidatePlace::first,
       .when = fmt::format("{}, from {} KiB a node in all", sharing_nodes, kRingOfEachNode >> 10),
       .why = "Between four hosts of 8 ranks at 200 Mbit/s, from 64 KiB in all, it took 0.4 to 1.0 "
              "of the time of the fastest other one, and with 4 KiB up to 1.35 times as long.",
       .applies = fills_ring},
      {.candidates = {"node-star"},
       .place = CandidatePlace::first,
       .when = fmt::format("{}, at most {}, and at most {} bytes of one of them", sharing_nodes,
                           kNodesOfAStar, kShortStar),
       .why = "So few messages cost less than to wait for each node on the way.",
       .applies = fans_out},
      {.candidates = {"neighbour-exchange"},
       .place = CandidatePlace::first,
       .when = fmt::format("{}, which share no memory; ranks are even in number and follow the "
                           "nodes; {} KiB a rank in all, {} times the longest block, and no node "
                           "has {} times its share",
                           nodes, kLongForNeighbours >> 10, kBlocksForNeighbours, kUneven),
       .why = "All links are busy: 4 KiB of each rank took 0.7 of the time of lanes. Where 6 of 64 "
              "nodes had all of 32 blocks, these came in a row, and took 1.8 times as long.",
       .applies = fills_neighbours},
  };
}

std::vector<CandidateRule<AllgathervCase>> allgatherv_rules() {
  std::vector<CandidateRule<AllgathervCase>> rules{
      {.candidates = {"dissemination", "recursive-halving", "scatter-allgather", "gather-broadcast",
                      "ring", kDirectAllgather},
       .place = CandidatePlace::by_model,
       .when = "always",
       .why = "They range from the fewest bytes to the fewest messages.",
       .applies = applies_always}};
  for (CandidateRule<AllgathervCase>& rule : allgatherv_node_rules())
    rules.push_back(std::move(rule));
  rules.push_back({.candidates = {kDirectAllgather},
                   .place = CandidatePlace::first,
                   .when = fmt::format("one node, which shares memory, or at most half of the "
                                       "ranks are sources, or they have {} KiB each",
                                       kLongInANode >> 10),
                   .why = "Each stage that waits for another one costs more than a message: on 16 "
                          "ranks that shared two processors it was faster than all others but with "
                          "short blocks of most ranks.",
                   .applies = goes_straight_in_a_node});
  rules.push_back({.candidates = {"gather-broadcast"},
                   .place = CandidatePlace::last,
                   .when = "one node otherwise",
                   .why = "The model charges the one rank for every message. Where ranks share "
                          "processors these cost no more than others, and each other rank waits "
                          "but twice: on 16 ranks on two processors it took 0.7 to 0.9 of the time "
                          "of dissemination.",
                   .applies = passes_on_in_a_node});
  return rules;
}

}  // namespace

const std::vector<CandidateRule<AllgathervCase>>& allgatherv_candidates() {
  static const auto* const kRules = new std::vector(allgatherv_rules());  // outlives all threads
  return *kRules;
}

}  // namespace shunt
