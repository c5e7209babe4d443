// What goes round the ring of nodes, and when.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "algorithms/allgather/allgathers.hpp"
#include "algorithms/allgather/laned.hpp"
#include "lab/proof/allgather_proof.hpp"
#include "lab/simulation/random_machine.hpp"
#include "lab/traffic/random_sources.hpp"
#include "shunt/error.hpp"

namespace shunt {
namespace {

Bytes length_of(const Allgather& allgather, int stage, Rank from, Rank to) {
  std::vector<Share> shares;
  allgather.shares(stage, from, to, shares);
  Bytes bytes = 0;
  for (const Share& share : shares) bytes += share.end - share.begin;
  return bytes;
}

/// Calls visit(stage, from, to, bytes) for each message between nodes.
template <class Visit>
void for_each_between(const Allgather& allgather, const Machine& machine, const Visit& visit) {
  for (int stage = 0; stage < allgather.stages(); ++stage) {
    for (Rank rank = 0; rank < allgather.ranks(); ++rank) {
      for (const Step& step : allgather.steps(stage, rank)) {
        if (step.to == kNoRank || machine.node_of(step.to) == machine.node_of(rank)) continue;
        visit(stage, rank, step.to, length_of(allgather, stage, rank, step.to));
      }
    }
  }
}

std::unique_ptr<Allgather> ring(const Sources& sources, const Machine& machine, Rank steps) {
  return make_node_ring(sources, std::make_shared<const Machine>(machine), steps);
}

Sources blocks(std::vector<Bytes> lengths) { return Sources(std::move(lengths)); }

TEST(RingOfNodes, EachLinkCarriesWhatItHasToAndNoMore) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Machine machine = random_machine(seed, 7, 5);
    if (machine.nodes() == 1) continue;
    for (const Sources& sources : source_cases(seed, machine.ranks())) {
      for (const Rank steps : {0, 1, 4}) {
        const auto allgather = ring(sources, machine, steps);
        ASSERT_TRUE(prove(*allgather, &machine).violations.empty());
        const Volumes bytes = bytes_by_node(sources, machine);
        Volumes carried(bytes.size(), 0);
        for_each_between(*allgather, machine, [&](int, Rank from, Rank to, Bytes length) {
          const Rank node = machine.node_of(from);
          ASSERT_EQ(machine.node_of(to), (node + 1) % machine.nodes());
          ASSERT_EQ(machine.place_in_node(from), machine.place_in_node(to));
          ASSERT_LT(machine.place_in_node(from), 2);
          carried[index_of(node)] += length;
        });
        for (Rank node = 0; node < machine.nodes(); ++node) {
          const Rank next = (node + 1) % machine.nodes();
          ASSERT_EQ(carried[index_of(node)], sources.total() - bytes[index_of(next)]);
        }
      }
    }
  }
}

TEST(RingOfNodes, NoStageIsLostWhereAllNodesHaveAlike) {
  for (Rank nodes = 2; nodes <= 9; ++nodes) {
    const Machine machine = Machine::blocked(3 * nodes, 3);
    const Sources sources(std::vector<Bytes>(static_cast<std::size_t>(3 * nodes), 1000));
    const auto allgather = ring(sources, machine, 5);
    // Between the two in nodes; a node hands on all but the next one's.
    EXPECT_EQ(allgather->stages(), 2 + 5 * (nodes - 1));
    std::set<std::pair<int, Rank>> busy;
    for_each_between(*allgather, machine, [&](int stage, Rank from, Rank, Bytes) {
      busy.emplace(stage, machine.node_of(from));
    });
    EXPECT_EQ(std::ssize(busy), Bytes{5} * (nodes - 1) * nodes);
  }
}

/// Bytes that come from other nodes to the lanes of the node of `rank` in a stage.
Bytes came(const Allgather& allgather, const Machine& machine, int stage, Rank rank) {
  Bytes bytes = 0;
  for_each_between(allgather, machine, [&](int at, Rank, Rank to, Bytes length) {
    if (at == stage && machine.node_of(to) == machine.node_of(rank)) bytes += length;
  });
  return bytes;
}

TEST(RingOfNodes, TellsNodesOnTheWay) {
  const Machine machine = Machine::blocked(12, 4);
  const auto allgather = ring(blocks(std::vector<Bytes>(12, 1000)), machine, 60);
  ASSERT_EQ(allgather->stages(), 2 + 120);
  Bytes untold = 0;
  for (int stage = 1; stage < allgather->stages(); ++stage) {
    Bytes told = 0;
    for (const Rank lane : {4, 5}) told += length_of(*allgather, stage, lane, 7);
    const bool tells = stage == 61 || stage == 121;
    EXPECT_EQ(allgather->spreads_in_nodes(stage), tells) << stage;
    const std::vector<Step> steps = allgather->steps(stage, 7);
    EXPECT_EQ(steps.empty(), !tells) << stage;
    if (tells) {
      EXPECT_EQ(told, untold) << stage;
      EXPECT_GT(told, 0) << stage;
      untold = 0;
    }
    untold += came(*allgather, machine, stage, 7);
  }
  EXPECT_EQ(untold, 0);
}

TEST(RingOfNodes, HandsOnWhatComesInTheNextStage) {
  // Node 1 has a block, and nobody else.
  const Machine machine = Machine::blocked(10, 2);
  const auto allgather = ring(blocks({0, 0, 0, 1000, 0, 0, 0, 0, 0, 0}), machine, 2);
  std::set<std::pair<int, Rank>> sent;
  for_each_between(*allgather, machine, [&](int stage, Rank from, Rank, Bytes) {
    sent.emplace(stage, machine.node_of(from));
  });
  std::set<std::pair<int, Rank>> expected;
  for (int piece = 0; piece < 10; ++piece) {
    for (Rank hop = 0; hop < 4; ++hop) expected.emplace(1 + piece + hop, (1 + hop) % 5);
  }
  EXPECT_EQ(sent, expected);
}

/// Most that a node sends another one in a stage.
Bytes longest_step(const Allgather& allgather, const Machine& machine) {
  std::vector<Volumes> sent(static_cast<std::size_t>(allgather.stages()),
                            Volumes(static_cast<std::size_t>(machine.nodes()), 0));
  Bytes longest = 0;
  for_each_between(allgather, machine, [&](int stage, Rank from, Rank, Bytes length) {
    Bytes& bytes = sent[static_cast<std::size_t>(stage)][index_of(machine.node_of(from))];
    bytes += length;
    longest = std::max(longest, bytes);
  });
  return longest;
}

TEST(RingOfNodes, TakesShortStepsButNotTooShort) {
  const Machine machine = Machine::blocked(32, 8);
  std::vector<Bytes> lengths(32, 0);
  lengths[5] = 262144;
  EXPECT_LE(longest_step(*ring(Sources(lengths), machine, 0), machine), 32768);
  EXPECT_GT(longest_step(*ring(Sources(lengths), machine, 0), machine), 32000);
  // In 512 steps they are longer.
  lengths.assign(32, Bytes{1} << 20);
  EXPECT_LE(longest_step(*ring(Sources(lengths), machine, 0), machine), 65536 + 2);
  EXPECT_GT(longest_step(*ring(Sources(lengths), machine, 0), machine), 65000);
  EXPECT_LE(ring(Sources(lengths), machine, 0)->stages(), 2 + 512);
  lengths[5] = Bytes{1} << 50;
  EXPECT_LE(ring(Sources(lengths), machine, 0)->stages(), 2 + 512 + 2 * 4);
  // And many nodes take more of them.
  const Machine many = Machine::blocked(100, 2);
  lengths.assign(100, Bytes{1} << 30);
  EXPECT_LE(ring(Sources(lengths), many, 0)->stages(), 2 + 16 * 50);
  EXPECT_GT(ring(Sources(lengths), many, 0)->stages(), 16 * 48);
}

TEST(RingOfNodes, RefusesMoreStepsThanItCanCount) {
  const Machine machine = Machine::blocked(6, 2);
  const Sources sources(std::vector<Bytes>(6, 8));
  EXPECT_EQ(ring(sources, machine, 1024)->name(), "node-ring:1024");
  EXPECT_THROW((void)ring(sources, machine, 1025), Error);
}

}  // namespace
}  // namespace shunt
