// What is special about the algorithms that go by digits, or know of nodes; that they are sound and
// keep to their bounds is seen with all others.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"
#include "lab/simulation/random_machine.hpp"
#include "support/expect_error.hpp"

namespace shunt {
namespace {

/// Ordered pairs of nodes by the messages between them in all stages.
std::map<std::pair<Rank, Rank>, int> messages_between(const Algorithm& algorithm,
                                                      const Machine& machine) {
  std::map<std::pair<Rank, Rank>, int> messages;
  for (int stage = 0; stage < algorithm.stages(); ++stage) {
    for (Rank rank = 0; rank < machine.ranks(); ++rank) {
      for (const Step& step : algorithm.steps(stage, rank)) {
        if (step.to == kNoRank) continue;
        const auto nodes = std::pair(machine.node_of(rank), machine.node_of(step.to));
        if (nodes.first != nodes.second) ++messages[nodes];
      }
    }
  }
  return messages;
}

TEST(Aggregate, HasOneMessageBetweenTwoNodes) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Machine machine = random_machine(seed, 9, 6);
    for (const char* name : {"leaders:1", "leaders:2", "leaders:5"}) {
      const auto messages = messages_between(*make_algorithm(name, machine, 1), machine);
      const auto pairs =
          static_cast<std::size_t>(machine.nodes()) * static_cast<std::size_t>(machine.nodes() - 1);
      ASSERT_EQ(messages.size(), pairs) << name << ", machine " << seed;
      for (const auto& [nodes, count] : messages) ASSERT_EQ(count, 1) << name << ", " << seed;
    }
  }
}

TEST(Aggregate, SpreadsTheNodesEvenlyOverTheLeaders) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Machine machine = random_machine(seed, 9, 6);
    if (machine.nodes() == 1) continue;
    const Rank leaders = 1 + static_cast<Rank>(seed % 7);
    const auto algorithm = make_algorithm("leaders:" + std::to_string(leaders), machine, 1);
    for (Rank node = 0; node < machine.nodes(); ++node) {
      const Rank led = std::min({leaders, machine.size_of(node), machine.nodes() - 1});
      std::vector<Rank> served;
      for (const Rank rank : machine.ranks_of(node)) {
        served.push_back(static_cast<Rank>(algorithm->steps(1, rank).size()) - 1);
      }
      ASSERT_EQ(std::ranges::count(served, 0), machine.size_of(node) - led) << seed;
      std::erase(served, 0);
      const auto [least, most] = std::ranges::minmax(served);
      ASSERT_LE(most - least, 1) << seed;
    }
  }
}

TEST(Radix, TakesAsManyStagesAsThereAreDigits) {
  for (Rank ranks = 1; ranks <= 300; ++ranks) {
    for (Rank radix = 2; radix <= 17; ++radix) {
      int digits = 0;
      for (Bytes reached = 1; reached < ranks; reached *= radix) ++digits;
      const auto algorithm = make_algorithm("bruck:" + std::to_string(radix), ranks, 1);
      ASSERT_EQ(algorithm->stages(), std::max(digits, 1)) << ranks << " " << radix;
      ASSERT_LE(algorithm->start_ups(), std::max(digits, 1) * radix);
    }
  }
}

TEST(Radix, GoesByTheDigitsOfTheDistance) {
  // From 1 to 0 of 12 it is 11 = 102 to the base 3: 2 places, none, and 9.
  const auto algorithm = make_algorithm("bruck:3", 12, 1);
  std::vector<Piece> pieces;
  algorithm->route(0, 1, 0, 50, pieces);
  algorithm->route(1, 3, 0, 50, pieces);
  algorithm->route(2, 3, 0, 50, pieces);
  ASSERT_EQ(pieces.size(), 3U);
  EXPECT_EQ(pieces[0].to, 3);
  EXPECT_EQ(pieces[1].to, 3);
  EXPECT_EQ(pieces[2].to, 0);
}

TEST(Radix, HasItsBoundReachedByAUniformTraffic) {
  // 8 ranks, radix 2: every message of every stage has half of all that a rank sends.
  const auto algorithm = make_algorithm("bruck:2", 8, 1);
  for (int stage = 0; stage < 3; ++stage) {
    const StageBound bound = algorithm->bound(stage, 5, {8 * 100, 100});
    EXPECT_EQ(bound.messages, 2);
    EXPECT_EQ(bound.longest_message, 400);
    EXPECT_EQ(bound.load, 800);
  }
}

TEST(NodeBruck, TalksToOtherNodesInOneStageOnly) {
  const Machine machine = Machine::blocked(32, 8);
  const auto algorithm = make_algorithm("bruck-in-nodes:2", machine, 1);
  ASSERT_EQ(algorithm->stages(), 4);
  for (const auto& [nodes, count] : messages_between(*algorithm, machine)) EXPECT_EQ(count, 8);
  EXPECT_EQ(algorithm->step_count(3), 4);
  const auto reverse = make_algorithm("bruck-among-nodes:2", machine, 1);
  ASSERT_EQ(reverse->stages(), 3);
  EXPECT_EQ(reverse->step_count(0), 2);
  EXPECT_EQ(reverse->step_count(1), 2);
  EXPECT_EQ(reverse->step_count(2), 8);
}

TEST(NodeBruck, ReachesSeveralRanksOfALargerNode) {
  const auto algorithm =
      make_algorithm("bruck-in-nodes:2", Machine::of_sizes(std::vector<Rank>{2, 5}), 1);
  ASSERT_EQ(algorithm->stages(), 4);
  const std::vector<Step> steps = algorithm->steps(3, 0);
  std::vector<Rank> to;
  for (const Step& step : steps) to.push_back(step.to);
  EXPECT_EQ(to, (std::vector<Rank>{2, 4, 6, 0}));
  const auto reverse =
      make_algorithm("bruck-among-nodes:2", Machine::of_sizes(std::vector<Rank>{2, 5}), 1);
  EXPECT_EQ(reverse->bound(0, 0, {1, 1}).messages, 4);
  EXPECT_EQ(reverse->bound(0, 1, {1, 1}).messages, 3);
}

TEST(NodeBruck, RefusesMoreStepsThanAnIntHolds) {
  std::vector<Rank> sizes(50000, 1);
  sizes.push_back(50000);
  const Machine machine = Machine::of_sizes(sizes);
  for (const char* name : {"bruck-in-nodes:50001", "bruck-among-nodes:50001"}) {
    test::expect_error(ErrorKind::argument,
                       std::string(name) +
                           " takes 2500000001 steps on 50001 nodes of 1 to 50000 "
                           "ranks, but must take at most 2147483647",
                       [&] { (void)make_algorithm(name, machine, 1); });
  }
}

TEST(NodeAlgorithms, StateBoundsForAnyLoadWithoutOverflow) {
  const Machine machine = random_machine(4, 40, 40);
  const Bytes load = (Bytes{1} << 60) / machine.ranks();
  for (const std::string& name : node_algorithm_names()) {
    const auto algorithm = make_algorithm(name, machine, 1);
    for (Rank rank = 0; rank < machine.ranks(); ++rank) {
      const Bytes bound = algorithm->buffer_bound(rank, {load, load});
      ASSERT_GE(bound, load) << name;
      ASSERT_LE(bound, load * (machine.ranks() + 1)) << name;
    }
  }
}

}  // namespace
}  // namespace shunt
