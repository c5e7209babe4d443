#include "lab/proof/checker.hpp"

#include <gtest/gtest.h>

#include "pure/sentences.hpp"

namespace shunt {
namespace {

using Schedule = std::vector<std::vector<Step>>;

Sentences check(const Schedule& schedule, int step_count) {
  return check_schedule(static_cast<Rank>(schedule.size()), step_count,
                        [&](Rank rank) { return schedule[static_cast<std::size_t>(rank)]; });
}

/// Three ranks in cyclic shifts.
Schedule sound() {
  return {{{1, 1, 2}, {2, 2, 1}, {3, 0, 0}},
          {{1, 2, 0}, {2, 0, 2}, {3, 1, 1}},
          {{1, 0, 1}, {2, 1, 0}, {3, 2, 2}}};
}

TEST(Checker, FindsNothingWrongWithASoundSchedule) {
  EXPECT_EQ(check(sound(), 3), kNothing);
  EXPECT_EQ(check({{}}, 0), kNothing);
}

TEST(Checker, FindsAWrongNumberOfSteps) {
  EXPECT_EQ(check(sound(), 4), Sentences{"the last step used is 3, not the stated 4"});
  EXPECT_TRUE(contains(check(sound(), 2), "outside 1..2"));
  Schedule early = sound();
  for (auto& steps : early) steps[0].number = 0;
  EXPECT_TRUE(contains(check(early, 3), "outside 1..3"));
}

TEST(Checker, FindsTwoActionsInOneStep) {
  Schedule schedule = sound();
  schedule[0][1].number = 1;
  EXPECT_TRUE(contains(check(schedule, 3), "rank 0 has step 1 after step 1"));
}

TEST(Checker, FindsStepsOutOfOrder) {
  Schedule schedule = sound();
  std::swap(schedule[2][0], schedule[2][1]);
  EXPECT_EQ(check(schedule, 3), Sentences{"rank 2 has step 1 after step 2"});
}

TEST(Checker, FindsADroppedReceive) {
  Schedule schedule = sound();
  schedule[1][0].from = kNoRank;
  EXPECT_EQ(check(schedule, 3),
            Sentences{"rank 0 sends to rank 1 in step 1, which does not expect it then"});
}

TEST(Checker, FindsADroppedSend) {
  Schedule schedule = sound();
  schedule[0][0].to = kNoRank;
  EXPECT_EQ(check(schedule, 3),
            Sentences{"rank 1 expects rank 0 in step 1, which does not send then"});
}

TEST(Checker, FindsTwoSendersForOneReceiver) {
  Schedule schedule = sound();
  schedule[0][0].to = 0;  // where rank 2 sends to as well
  EXPECT_TRUE(contains(check(schedule, 3),
                       "rank 0 sends to rank 0 in step 1, which does not expect it then"));
}

TEST(Checker, FindsAMessageSentTwice) {
  Schedule schedule = sound();
  schedule[0].push_back({4, 1, kNoRank});
  schedule[1].push_back({4, kNoRank, 0});
  EXPECT_EQ(check(schedule, 4), Sentences{"rank 0 sends to rank 1 twice, in steps 1 and 4"});
}

TEST(Checker, FindsRanksThatDoNotExist) {
  Schedule schedule = sound();
  schedule[0][0].to = 3;
  EXPECT_TRUE(contains(check(schedule, 3), "rank 0 names rank 3, which does not exist"));
  schedule = sound();
  schedule[0][0].from = -2;
  EXPECT_TRUE(contains(check(schedule, 3), "rank 0 names rank -2, which does not exist"));
}

/// Ranks 0 and 1 on one node, 2 and 3 on another.
Sentences check_ports(const Schedule& schedule) {
  return check_node_ports(Machine::blocked(4, 2),
                          [&](Rank rank) { return schedule[static_cast<std::size_t>(rank)]; });
}

TEST(NodePorts, CountAnExchangeOnce) {
  EXPECT_EQ(check_ports({{{1, 2, 2}, {2, 1, 1}, {3, 0, 0}},
                         {{2, 0, 0}, {4, 3, kNoRank}},
                         {{1, 0, 0}, {4, 3, 3}},
                         {{4, 2, 1}}}),
            kNothing);
}

TEST(NodePorts, AreNotUsedByTwoRanksAtOnce) {
  EXPECT_EQ(
      check_ports({{{7, 2, 2}}, {{7, 3, 3}}, {{7, 0, 0}}, {{7, 1, 1}}}),
      (Sentences{"node 0 is at work twice in step 7: rank 0 with rank 2 and rank 1 with rank 3",
                 "node 1 is at work twice in step 7: rank 2 with rank 0 and rank 3 with "
                 "rank 1"}));
}

TEST(NodePorts, AreNotUsedByOneRankForTwoOthers) {
  EXPECT_EQ(check_ports({{{1, 2, 3}}, {}, {}, {}}),
            Sentences{"node 0 is at work twice in step 1: rank 0 with rank 2 and rank 0 with rank "
                      "3"});
}

}  // namespace
}  // namespace shunt
