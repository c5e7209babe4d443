#include "model/machine.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "lab/flow/torus_links.hpp"
#include "support/expect_error.hpp"

namespace shunt {
namespace {

using test::expect_error;
using Ranks = std::vector<Rank>;

Ranks ranks_of(const Machine& machine, Rank node) {
  const auto ranks = machine.ranks_of(node);
  return {ranks.begin(), ranks.end()};
}

TEST(Machine, BlocksTheLastOneShorter) {
  const Machine machine = Machine::blocked(7, 3);
  EXPECT_EQ(machine.ranks(), 7);
  EXPECT_EQ(machine.nodes(), 3);
  EXPECT_EQ(ranks_of(machine, 0), (Ranks{0, 1, 2}));
  EXPECT_EQ(ranks_of(machine, 2), (Ranks{6}));
  EXPECT_EQ(Machine::blocked(3, 8).nodes(), 1);
}

TEST(Machine, RoundRobin) {
  const Machine machine = Machine::round_robin(7, 3);
  EXPECT_EQ(machine.nodes(), 3);
  EXPECT_EQ(ranks_of(machine, 0), (Ranks{0, 3, 6}));
  EXPECT_EQ(ranks_of(machine, 2), (Ranks{2, 5}));
  EXPECT_EQ(Machine::round_robin(3, 8).nodes(), 3);
}

TEST(Machine, SizesOfNodes) {
  const Machine machine = Machine::of_sizes(Ranks{4, 1, 2});
  EXPECT_EQ(machine.ranks(), 7);
  EXPECT_EQ(ranks_of(machine, 1), (Ranks{4}));
  EXPECT_EQ(ranks_of(machine, 2), (Ranks{5, 6}));
}

TEST(Machine, AnyMap) {
  const Machine machine({2, 0, 1, 0, 2, 2});
  EXPECT_EQ(machine.nodes(), 3);
  EXPECT_EQ(ranks_of(machine, 0), (Ranks{1, 3}));
  EXPECT_EQ(ranks_of(machine, 1), (Ranks{2}));
  EXPECT_EQ(ranks_of(machine, 2), (Ranks{0, 4, 5}));
}

TEST(Machine, NodesAndPlacesAgreeAtAwkwardNumbers) {
  for (const Rank ranks : {1, 2, 3, 5, 7, 11, 13, 31, 64}) {
    for (const Rank size : {1, 2, 3, 4, 7, 100}) {
      for (const Machine& machine :
           {Machine::blocked(ranks, size), Machine::round_robin(ranks, size)}) {
        Rank seen = 0;
        for (Rank node = 0; node < machine.nodes(); ++node) {
          seen += static_cast<Rank>(machine.ranks_of(node).size());
        }
        EXPECT_EQ(seen, ranks);
        for (Rank rank = 0; rank < ranks; ++rank) {
          const auto place = static_cast<std::size_t>(machine.place_in_node(rank));
          EXPECT_EQ(machine.ranks_of(machine.node_of(rank))[place], rank);
        }
      }
    }
  }
}

TEST(Machine, FromText) {
  EXPECT_EQ(Machine::parse("blocked:3", 7), Machine::blocked(7, 3));
  EXPECT_EQ(Machine::parse("round-robin:3", 7), Machine::round_robin(7, 3));
  EXPECT_EQ(Machine::parse("4,1,2", 7), Machine::of_sizes(Ranks{4, 1, 2}));
  EXPECT_EQ(Machine::parse("7", 7), Machine::blocked(7, 7));
}

TEST(Machine, BadText) {
  const auto refuse = [](const char* text, const char* words) {
    expect_error(ErrorKind::argument, words, [&] { (void)Machine::parse(text, 7); });
  };
  refuse("", "\"\" in \"\"");
  refuse("4,3,", "\"\" in \"4,3,\"");
  refuse("4,,3", "\"\" in \"4,,3\"");
  refuse("4,0,3", "\"0\"");
  refuse("4,-1", "\"-1\"");
  refuse("4;3", "\"4;3\"");
  refuse("4,4", "have 8 ranks, but must have 7");
  refuse("2147483647,2147483647", "have 4294967294 ranks");
  refuse("blocked:", "\"\" in \"blocked:\"");
  refuse("blocked:0", "\"0\"");
  refuse("blocks:3", "\"blocks:3\" must be given as");
}

TEST(Machine, BadNumbers) {
  expect_error(ErrorKind::argument, "number of ranks of a machine is 0",
               [] { (void)Machine::blocked(0, 1); });
  expect_error(ErrorKind::argument, "ranks of a node is 0", [] { (void)Machine::blocked(1, 0); });
  expect_error(ErrorKind::argument, "number of nodes is 0",
               [] { (void)Machine::round_robin(1, 0); });
  expect_error(ErrorKind::argument, "number of ranks of a machine is 0", [] { (void)Machine({}); });
  expect_error(ErrorKind::argument, "on node -1", [] { (void)Machine({0, -1}); });
  expect_error(ErrorKind::argument, "on node 2", [] { (void)Machine({0, 2}); });
  expect_error(ErrorKind::argument, "node 1 has no rank", [] { (void)Machine({0, 2, 0}); });
  expect_error(ErrorKind::argument, "size of a node is 0", [] {
    (void)Machine::of_sizes(Ranks{1, 0});
  });
  expect_error(ErrorKind::argument, "4294967294 ranks", [] {
    (void)Machine::of_sizes(Ranks{2147483647, 2147483647});
  });
}

TEST(Extents, AreRowMajor) {
  const Extents extents({2, 3, 4});
  EXPECT_EQ(extents.ranks(), 24);
  EXPECT_EQ(extents.dimensions(), 3);
  EXPECT_EQ(extents.extent(1), 3);
  EXPECT_EQ(extents.coordinates(0), (Ranks{0, 0, 0}));
  EXPECT_EQ(extents.coordinates(1), (Ranks{0, 0, 1}));
  EXPECT_EQ(extents.coordinates(23), (Ranks{1, 2, 3}));
  for (Rank rank = 0; rank < 24; ++rank) {
    EXPECT_EQ(extents.rank_at(extents.coordinates(rank)), rank);
    EXPECT_EQ(extents.coordinate(rank, 1), extents.coordinates(rank)[1]);
  }
}

TEST(Extents, NeighboursWrapAround) {
  const Extents extents({3, 4});
  EXPECT_EQ(extents.neighbour(0, 0, 1), 4);
  EXPECT_EQ(extents.neighbour(0, 0, -1), 8);
  EXPECT_EQ(extents.neighbour(0, 1, -1), 3);
  EXPECT_EQ(extents.neighbour(7, 1, 1), 4);
  EXPECT_EQ(extents.neighbour(7, 1, 4), 7);
  EXPECT_EQ(extents.neighbour(7, 1, -2147483647), 4);
  EXPECT_EQ(Extents({5}).neighbour(4, 0, 2147483647), 1);
  EXPECT_EQ(Extents({1}).neighbour(0, 0, 5), 0);
}

TEST(Extents, KnowShortestPaths) {
  const Extents extents({4, 5});
  EXPECT_EQ(extents.ahead(1, 3, 1), 2);
  EXPECT_EQ(extents.ahead(3, 1, 1), 3);
  EXPECT_EQ(extents.ahead(16, 2, 0), 1);
  EXPECT_EQ(torus_distance(extents, 0, 19), 2);
  EXPECT_EQ(torus_distance(extents, 0, 12), 4);
  EXPECT_EQ(torus_distance(extents, 7, 7), 0);
  EXPECT_EQ(torus_distance(Extents({2, 2, 2}), 0, 7), 3);
}

TEST(Extents, AreNearlySquare) {
  EXPECT_EQ(Extents::nearly_square(36, 1), Extents({6, 6}));
  EXPECT_EQ(Extents::nearly_square(24, 1), Extents({4, 6}));
  EXPECT_EQ(Extents::nearly_square(13, 1), Extents({13}));
  EXPECT_EQ(Extents::nearly_square(1, 1), Extents({1}));
  EXPECT_EQ(Extents::nearly_square(2147483647, 1), Extents({2147483647}));
  EXPECT_EQ(Extents::nearly_square(24, 2), Extents({4, 6}));
  EXPECT_EQ(Extents::nearly_square(36, 2), Extents({6, 6}));
  EXPECT_EQ(Extents::nearly_square(28, 2), Extents({2, 14}));
  EXPECT_EQ(Extents::nearly_square(96, 4), Extents({8, 12}));
  expect_error(ErrorKind::argument, "multiples of 2 has 30 ranks",
               [] { (void)Extents::nearly_square(30, 2); });
  expect_error(ErrorKind::argument, "the number of ranks is 0",
               [] { (void)Extents::nearly_square(0, 4); });
}

TEST(Extents, FromText) {
  EXPECT_EQ(Extents::parse("4x4x2"), Extents({4, 4, 2}));
  EXPECT_EQ(Extents::parse("7"), Extents({7}));
  EXPECT_EQ(Extents({4, 4, 2}).name(), "4x4x2");
  for (const char* text : {"", "4x", "x4", "4xx4", "4x0", "4x-1", "4*4"}) {
    expect_error(ErrorKind::argument, "must be positive extents",
                 [&] { (void)Extents::parse(text); });
  }
  expect_error(ErrorKind::argument, "2147483647 ranks at most",
               [] { (void)Extents::parse("65536x65536x65536x65536x65536"); });
  expect_error(ErrorKind::argument, "must have an extent", [] { (void)Extents({}); });
}

}  // namespace
}  // namespace shunt
