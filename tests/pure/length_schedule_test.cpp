// Schedules that take lengths into account: sound, in as few steps, and cheaper.
#include "lab/schedules/length_schedule.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "lab/schedules/random_redistribution.hpp"
#include "schedule/assignment.hpp"

namespace shunt {
namespace {

/// By trying all permutations.
TEST(Assignment, IsTheHeaviest) {
  std::mt19937 random(1);
  for (int round = 0; round < 400; ++round) {
    const auto size = static_cast<Rank>(1 + round % 6);
    Weights weights(static_cast<std::size_t>(size));
    for (Rank row = 0; row < size; ++row) {
      for (Rank column = 0; column < size; ++column) {
        weights.at({row, column}) = Weight{random() % 5} << (round % 2 == 0 ? 0 : 70);
      }
    }
    const auto weight_of = [&](const std::vector<std::size_t>& columns) {
      Weight sum = 0;
      for (std::size_t row = 0; row < columns.size(); ++row) sum += weights.at(row, columns[row]);
      return sum;
    };
    std::vector<std::size_t> columns(static_cast<std::size_t>(size));
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    Weight most = 0;
    do {
      most = std::max(most, weight_of(columns));
    } while (std::ranges::next_permutation(columns).found);
    std::vector<std::size_t> found = heaviest_assignment(weights);
    ASSERT_TRUE(weight_of(found) == most) << round;
    std::ranges::sort(found);
    ASSERT_EQ(found, columns) << "not one column for each row";
  }
}

/// Two long messages and two short ones: the long ones share a step, though others come first.
TEST(LengthSchedule, LongMessagesShareSteps) {
  const std::vector<Edge> edges{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  for (const LengthRule rule : {LengthRule::sorted, LengthRule::matched}) {
    EXPECT_EQ(colour_edges_by_length(2, 2, edges, std::vector<Index>{1, 9, 9, 1}, rule),
              (std::vector<int>{1, 0, 0, 1}));
  }
}

/// On a path the two long messages at its ends would leave the vertex in the middle two more steps.
TEST(LengthSchedule, TakesNoStepMoreForTheSakeOfLengths) {
  const std::vector<Edge> edges{{0, 0}, {1, 0}, {1, 1}, {2, 1}};
  const std::vector<Index> lengths{9, 1, 1, 9};
  const std::vector<int> colours =
      colour_edges_by_length(3, 2, edges, lengths, LengthRule::matched);
  EXPECT_TRUE(colours == (std::vector<int>{0, 1, 0, 1}) ||
              colours == (std::vector<int>{1, 0, 1, 0}));
}

PlacesSteps steps_of(const RedistributionSchedule& all, const LengthSchedule& schedule) {
  return {.senders = all.senders(),
          .receivers = all.receivers(),
          .step_count = schedule.step_count(),
          .sends = [&](Rank sender) { return schedule.sends(sender); },
          .receives = [&](Rank receiver) { return schedule.receives(receiver); }};
}

TEST(LengthSchedule, TakesTheLeastStepsAtRandom) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const RandomRedistribution random = random_redistribution(seed);
    const RedistributionSchedule all(random.axes, random.from, random.to);
    for (const LengthRule rule : {LengthRule::sorted, LengthRule::matched}) {
      const LengthSchedule schedule(all, rule);
      const auto meet = [&](Rank i, Rank j) { return all.elements(i, j) > 0; };
      ASSERT_EQ(prove_redistribution(steps_of(all, schedule), meet).violations,
                std::vector<std::string>{})
          << random.name();
    }
  }
}

/// Two senders send to two receivers in two steps, and in a third one sender 1 to receiver 2.
TEST(LengthSchedule, CostIsThatOfTheLongestMessages) {
  const std::vector<std::vector<Rank>> receivers{{0, 1}, {1, 0, 2}};
  const PlacesSteps steps{
      .senders = 2,
      .receivers = 3,
      .step_count = 3,
      .sends =
          [&](Rank sender) {
            std::vector<Step> sends;
            for (const Rank to : receivers[static_cast<std::size_t>(sender)]) {
              sends.push_back({static_cast<int>(sends.size()) + 1, to, kNoRank});
            }
            return sends;
          },
      .receives = [](Rank) { return std::vector<Step>{}; },
  };
  // 7, 5 and 5 in the steps; sender 1 sends 3, 5 and 5.
  const StepCost sending = step_cost(steps, [](Rank i, Rank j) -> Index {
    return j == 1 ? 3 : i == 0 ? 7 : 5;
  });
  EXPECT_EQ(sending.longest, 17);
  EXPECT_EQ(sending.busiest, 13);
  EXPECT_DOUBLE_EQ(sending.over_least(), 17.0 / 13);
  // 6, 6 and 1 in the steps; receiver 0 receives 6 and 6.
  const StepCost receiving = step_cost(steps, [](Rank, Rank j) -> Index { return j == 0 ? 6 : 1; });
  EXPECT_EQ(receiving.longest, 13);
  EXPECT_EQ(receiving.busiest, 12);
}

/// Nothing costs no more than the least.
TEST(LengthSchedule, CostOfNothingIsTheLeast) {
  const PlacesSteps nothing{.senders = 1,
                            .receivers = 1,
                            .step_count = 0,
                            .sends = [](Rank) { return std::vector<Step>{}; },
                            .receives = [](Rank) { return std::vector<Step>{}; }};
  EXPECT_DOUBLE_EQ(step_cost(nothing, [](Rank, Rank) -> Index { return 0; }).over_least(), 1.0);
}

}  // namespace
}  // namespace shunt
