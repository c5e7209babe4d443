#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "mpi_calls/simulated.hpp"
#include "planner/candidates.hpp"
#include "transport/single_copies.hpp"

namespace shunt {

namespace {

/// So few have one switch, where no blocks share a link but those of the same node.
constexpr Rank kNodesOfASwitch = 16;

/// So many times as long may what spreads long blocks be expected to take, and be faster.
constexpr double kWorthSpreading = 4;

/// With the finest grain: what a coarser one may add is for short blocks, in the worst case.
double expected_of(const char* name, const AlltoallvCase& exchange) {
  const auto algorithm = make_algorithm(name, exchange.machine, 1);
  return expected_seconds(exchange.profile, *algorithm, exchange.machine, exchange.traffic,
                          exchange.form);
}

bool spreads(const char* name, const AlltoallvCase& exchange) {
  const TrafficBound& bound = exchange.traffic.bound;
  if (exchange.machine.nodes() <= kNodesOfASwitch) return false;
  if (2 * bound.longest_block <= bound.largest_load) return false;
  return expected_of(name, exchange) <= kWorthSpreading * expected_of(kStraight, exchange);
}

bool combines_nodes(const AlltoallvCase& exchange) {
  if (!on_nodes(exchange)) return false;
  const Machine& machine = exchange.machine;
  const Bytes load = exchange.traffic.bound.largest_load;
  return machine.size_of(machine.largest_node()) * load <= kLargestTrial;
}

/// Whether there is one of two dimensions, both multiples.
template <Rank kMultiple>
bool on_torus_of(const AlltoallvCase& exchange) {
  const auto torus = torus_of(exchange);
  return torus && torus->dimensions() == 2 && torus->extent(0) % kMultiple == 0 &&
         torus->extent(1) % kMultiple == 0;
}

bool on_other_torus(const AlltoallvCase& exchange) {
  return torus_of(exchange) && !on_torus_of<2>(exchange);
}

/// Buffers of algorithms for tori are several times the rank's load: 4.2 times with equal blocks on
/// 16 x 16 ranks, where they take 0.6 of the time of linear for 4 MiB.
constexpr Bytes kTorusBuffers = Bytes{64} << 20;

/// Seconds a byte of a network beside which it does not matter how often a node copies: it takes
/// ten times as long.
constexpr double kSlowNetwork = 2e-9;

std::vector<CandidateRule<AlltoallvCase>> alltoallv_rules() {
  const std::string spreading = fmt::format(
      "more than {} nodes, one block is more than half of a load, and the model "
      "expects at most {} times the time of linear",
      kNodesOfASwitch, kWorthSpreading);
  const std::string no_links =
      "The model knows no links, which long blocks may share. From all ranks to their mirror "
      "images, simulated, it took 0.71 of linear's time with 256 KiB on a torus of 8 x 8, and 0.40 "
      "with 4 MiB on a fat tree of 256 ranks.";
  const std::string on_torus =
      fmt::format("one rank a node, buffers of at most {} MiB", kTorusBuffers >> 20);
  return {
      {.candidates = {"linear", "two-stage", "row-column", "four-stage", "stages:3", "grid:3",
                      "bruck:2", "bruck:4"},
       .place = CandidatePlace::by_model,
       .when = "always",
       .why = "They range from the fewest bytes to the fewest messages.",
       .applies = applies_always},
      {.candidates = {"bruck-in-nodes", "bruck-among-nodes"},
       .place = CandidatePlace::by_model,
       .when = kOnNodes,
       .why = "They send few messages between nodes.",
       .applies = on_nodes},
      {.candidates = {"linear"},
       .place = CandidatePlace::last,
       .when = "always",
       .why = "It needs no buffers, and is what others are compared with.",
       .applies = applies_always,
       .has_buffers = false},
      {.candidates = {"two-stage"},
       .place = CandidatePlace::last,
       .when = spreading,
       .why = no_links,
       .applies = [](const AlltoallvCase& exchange) { return spreads("two-stage", exchange); }},
      {.candidates = {"four-stage"},
       .place = CandidatePlace::last,
       .when = "as two-stage",
       .why = "The same. On the fat tree it took 0.59 of linear's time with 256 KiB.",
       .applies = [](const AlltoallvCase& exchange) { return spreads("four-stage", exchange); }},
      {.candidates = {"linear shared=once"},
       .place = CandidatePlace::last,
       .when = fmt::format(
           "ranks share a node's memory, a block has {} KiB or more, and between nodes a "
           "byte takes at most {:g} ns",
           kLeastSingleCopy >> 10, kSlowNetwork * 1e9),
       .why = "One copy saves memory traffic, and costs a call of the system. A slow network hides "
              "both.",
       .applies = may_copy_once,
       .has_buffers = false},
      {.candidates = {"node-pairwise"},
       .place = CandidatePlace::last,
       .when = kOnNodes,
       .why = "The model does not know what the ranks of a node share.",
       .applies = on_nodes},
      {.candidates = {"leaders:1", "leaders:2"},
       .place = CandidatePlace::last,
       .when = fmt::format("{}, and a node sends at most {} MiB", kOnNodes, kLargestTrial >> 20),
       .why = "The same; but one rank holds what all of its node send.",
       .applies = combines_nodes},
      {.candidates = {"torus", "torus-pipeline"},
       .place = CandidatePlace::last,
       .when = fmt::format("a torus of two dimensions, multiples of 4; {}", on_torus),
       .why = "One was the fastest on 16 x 16 simulated ranks, whatever the length of blocks.",
       .applies = on_torus_of<4>,
       .torus_buffers = kTorusBuffers},
      {.candidates = {"torus-pipeline"},
       .place = CandidatePlace::last,
       .when = fmt::format("a torus of two dimensions, both even; {}", on_torus),
       .why = "It was the fastest with long blocks on 8 x 8 simulated ranks.",
       .applies = on_torus_of<2>,
       .torus_buffers = kTorusBuffers},
      {.candidates = {"torus-split"},
       .place = CandidatePlace::last,
       .when = fmt::format("another torus; {}", on_torus),
       .why = "The other families are not made for it.",
       .applies = on_other_torus,
       .torus_buffers = kTorusBuffers},
  };
}

}  // namespace

const std::vector<CandidateRule<AlltoallvCase>>& alltoallv_candidates() {
  static const auto* const kRules = new std::vector(alltoallv_rules());  // outlives all threads
  return *kRules;
}

Configuration straight_once(const Options& asked) {
  return read_configuration("linear shared=once", asked);
}

bool may_copy_once(const AlltoallvCase& exchange) {
  const Options& asked = exchange.asked;
  const Machine& machine = exchange.machine;
  const bool shares = asked.shared_memory && asked.mode != Mode::blocking && !kSimulated &&
                      machine.nodes() < machine.ranks();
  if (!shares || exchange.traffic.bound.longest_block < kLeastSingleCopy) return false;
  const ExchangeCosts& costs = exchange.profile.plan;
  const double out = costs.outside_per_byte + costs.way_out_per_byte + costs.far_per_byte;
  return machine.nodes() == 1 || out <= kSlowNetwork;
}

std::optional<Extents> torus_of(const AlltoallvCase& exchange) {
  if (exchange.machine.nodes() < exchange.machine.ranks()) return std::nullopt;
  std::optional<Extents> torus = exchange.surroundings.torus();
  if (torus && torus->dimensions() == 1) return std::nullopt;
  return torus;
}

}  // namespace shunt
