#include "schedule/node_pairing.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "lab/proof/checker.hpp"
#include "lab/simulation/random_machine.hpp"
#include "support/expect_error.hpp"

namespace shunt {
namespace {

using Ranks = std::vector<Rank>;
using Form = NodePairing::Form;
using test::expect_error;

NodePairing schedule_of(Machine machine, Form form) {
  return {std::make_shared<const Machine>(std::move(machine)), form};
}

NodePairing schedule_of(const Ranks& sizes, Form form) {
  return schedule_of(Machine::of_sizes(sizes), form);
}

/// What is wrong with the schedule: also if a rank has not one message for each rank.
std::vector<std::string> violations(const NodePairing& schedule) {
  const Machine& machine = schedule.machine();
  auto steps_of = [&](Rank rank) { return schedule.steps(rank); };
  auto found = check_schedule(machine.ranks(), schedule.step_count(), steps_of);
  std::ranges::move(check_node_ports(machine, steps_of), std::back_inserter(found));
  for (Rank rank = 0; rank < machine.ranks(); ++rank) {
    // No pair has two messages, or the checker would have said so.
    const auto steps = schedule.steps(rank);
    const auto sends = std::ranges::count_if(steps, [](const Step& s) { return s.to != kNoRank; });
    const auto receives =
        std::ranges::count_if(steps, [](const Step& s) { return s.from != kNoRank; });
    if (sends != machine.ranks() || receives != machine.ranks()) {
      found.push_back("rank " + std::to_string(rank) + " leaves messages out");
    }
  }
  return found;
}

/// The last step in which two nodes have to do with each other.
int last_between_nodes(const NodePairing& schedule) {
  const Machine& machine = schedule.machine();
  int last = 0;
  for (Rank rank = 0; rank < machine.ranks(); ++rank) {
    for (const Step& step : schedule.steps(rank)) {
      for (const Rank peer : {step.to, step.from}) {
        if (peer == kNoRank || machine.node_of(peer) == machine.node_of(rank)) continue;
        last = std::max(last, step.number);
      }
    }
  }
  return last;
}

TEST(NodePairing, IsSoundOnNodesOfAnySizesAndRanksInAnyOrder) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Machine machine = random_machine(seed, 7, 6);
    const Rank largest = machine.size_of(machine.largest_node());
    const NodePairing printed = schedule_of(machine, Form::printed);
    ASSERT_EQ(violations(printed), std::vector<std::string>()) << seed;
    ASSERT_EQ(printed.step_count(), largest * machine.ranks()) << seed;
    ASSERT_EQ(printed.round_steps(), printed.step_count());
    const NodePairing improved = schedule_of(machine, Form::improved);
    ASSERT_EQ(violations(improved), std::vector<std::string>()) << seed;
    ASSERT_LE(improved.round_steps(), printed.step_count()) << seed;
    // No schedule has fewer: the largest node's ranks have that many exchanges with other nodes.
    ASSERT_GE(improved.round_steps(), largest * (machine.ranks() - largest)) << seed;
    ASSERT_LE(last_between_nodes(improved), improved.round_steps()) << seed;
    const int after = improved.step_count() - improved.round_steps();
    ASSERT_TRUE(after == 0 || after == largest) << seed;
  }
}

TEST(NodePairing, IsSoundOnManyNodes) {
  for (const Ranks& sizes : {Ranks(64, 8), Ranks(9, 8), Ranks{2, 4, 8, 16}, Ranks(40, 1), Ranks{40},
                             Ranks{1, 1, 1, 30}}) {
    for (const Form form : {Form::printed, Form::improved}) {
      EXPECT_EQ(violations(schedule_of(sizes, form)), std::vector<std::string>());
    }
  }
}

TEST(NodePairing, TakesTheStepsThatAreKnown) {
  struct Known {
    Ranks sizes;
    int printed;
    int improved;  ///< of the rounds
    int after;     ///< messages inside the nodes that are left then
  };
  for (const Known& known :
       {Known{{1, 2, 3}, 18, 12, 0}, Known{Ranks(6, 4), 96, 80, 4},
        Known{{2, 4, 8, 16}, 480, 256, 0}, Known{Ranks(64, 8), 4096, 4032, 8},
        Known{Ranks(9, 8), 576, 576, 0}, Known{{5}, 25, 0, 5}, Known{{1}, 1, 0, 1}}) {
    SCOPED_TRACE(testing::PrintToString(known.sizes));
    EXPECT_EQ(schedule_of(known.sizes, Form::printed).step_count(), known.printed);
    const NodePairing improved = schedule_of(known.sizes, Form::improved);
    EXPECT_EQ(improved.round_steps(), known.improved);
    EXPECT_EQ(improved.step_count(), known.improved + known.after);
    EXPECT_EQ(last_between_nodes(improved), known.improved);
  }
}

TEST(NodePairing, HasTheRoundsOfFigure3) {
  EXPECT_EQ(schedule_of(Ranks{1, 2, 3}, Form::printed).rounds(), (Ranks{3, 2, 1}));
  EXPECT_EQ(schedule_of(Ranks{1, 2, 3}, Form::improved).rounds(), (Ranks{3, 1, 0}));
}

TEST(NodePairing, FollowsFigure2Literally) {
  // Nodes {0}, {1, 2} and {3, 4, 5}; factor 0 pairs the first node with itself, the others with
  // each other, rank 1 having its turn with all of the larger node.
  const NodePairing schedule = schedule_of(Ranks{1, 2, 3}, Form::printed);
  EXPECT_EQ(schedule.steps(0).front(), (Step{1, 0, 0}));
  const auto steps = schedule.steps(1);
  EXPECT_EQ(steps[0], (Step{1, 3, 3}));
  EXPECT_EQ(steps[1], (Step{2, 4, 4}));
  EXPECT_EQ(steps[2], (Step{3, 5, 5}));
  // Factor 1 pairs it with the first node, factor 2 with its own: two messages one way.
  EXPECT_EQ(steps[3], (Step{4, 0, 0}));
  EXPECT_EQ(steps[4], (Step{7, 1, 1}));
  EXPECT_EQ(steps[5], (Step{8, 2, kNoRank}));
}

TEST(NodePairing, RefusesMoreStepsThanAnIntHolds) {
  expect_error(ErrorKind::argument, "takes 4900000000 steps on 70000 ranks",
               [] { (void)schedule_of(Ranks{70000}, Form::printed); });
  EXPECT_EQ(schedule_of(Ranks{70000}, Form::improved).step_count(), 70000);
}

TEST(NodePairing, CostsARankNoMoreThanItsRanks) {
  const NodePairing schedule = schedule_of(Machine::blocked(100000, 100), Form::improved);
  EXPECT_EQ(schedule.steps(12345).size(), 100000U);
}

}  // namespace
}  // namespace shunt
