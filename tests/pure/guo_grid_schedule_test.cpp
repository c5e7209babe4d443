// Algorithm 2 of Guo 2000, where it holds and where it does not.
#include "lab/schedules/guo_grid_schedule.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "lab/schedules/guo_schedule.hpp"
#include "schedule/redistribution_schedule.hpp"
#include "shunt/error.hpp"

namespace shunt {
namespace {

using Axes = std::vector<GuoGridSchedule::Axis>;

TEST(GuoGridSchedule, IsThatOfFigure8) {
  const GuoGridSchedule schedule(Axes{{{2, 4}, {4, 2}}, {{4, 2}, {2, 4}}});
  const std::vector<std::vector<Rank>> figure{{0, 2}, {2, 0}, {1, 3}, {3, 1},
                                              {4, 6}, {6, 4}, {5, 7}, {7, 5}};
  for (Rank sender = 0; sender < 8; ++sender) {
    EXPECT_EQ(schedule.receivers_of(sender), figure[static_cast<std::size_t>(sender)]);
  }
  EXPECT_TRUE(schedule.is_free_of_contention());
}

TEST(GuoGridSchedule, IsAlgorithm1InOneDimension) {
  for (Rank senders = 1; senders <= 12; ++senders) {
    for (Rank receivers = senders; receivers <= 12; ++receivers) {
      for (Index beta = 1; beta <= 16; ++beta) {
        const GuoSchedule one(senders, receivers, beta);
        const GuoGridSchedule grid(Axes{{{senders, 3 * beta}, {receivers, 3}}});
        for (Rank sender = 0; sender < senders; ++sender) {
          const std::vector<Rank> row = grid.receivers_of(sender);
          ASSERT_EQ(std::ssize(row), one.step_count());
          for (Rank step = 1; step <= one.step_count(); ++step) {
            ASSERT_EQ(row[static_cast<std::size_t>(step) - 1], one.receiver(sender, step))
                << senders << " " << receivers << " " << beta;
          }
        }
      }
    }
  }
}

/// Step 2.1: in both dimensions the senders' blocks are the longer ones and the receivers no fewer.
TEST(GuoGridSchedule, IsFreeOfContentionWithoutCompoundTables) {
  std::vector<GuoGridSchedule::Axis> all;
  for (Rank senders = 1; senders <= 6; ++senders) {
    for (Rank receivers = senders; receivers <= 6; ++receivers) {
      for (Index beta = 1; beta <= 6; ++beta) all.push_back({{senders, beta}, {receivers, 1}});
    }
  }
  for (const GuoGridSchedule::Axis& rows : all) {
    for (const GuoGridSchedule::Axis& columns : all) {
      const GuoGridSchedule schedule(Axes{rows, columns});
      ASSERT_TRUE(schedule.is_free_of_contention())
          << rows.from.places << "x" << columns.from.places << " to " << rows.to.places << "x"
          << columns.to.places << ", " << rows.from.block << " " << columns.from.block;
    }
  }
}

/// Step 2.2 as published: the compound table of one sender has columns of another one's.
TEST(GuoGridSchedule, MayHaveContentionWithCompoundTables) {
  const Axes axes{{{2, 4}, {4, 1}}, {{2, 1}, {1, 2}}};
  const GuoGridSchedule schedule(axes);
  EXPECT_EQ(schedule.receivers_of(1), (std::vector<Rank>{1, 2, 3, 0}));
  EXPECT_EQ(schedule.receivers_of(2), (std::vector<Rank>{1, 2, 3, 0}));
  EXPECT_FALSE(schedule.is_free_of_contention());
  const RedistributionSchedule least({{{64, 4, 2}, {64, 1, 4}, 64}, {{64, 1, 2}, {64, 2, 1}, 64}});
  EXPECT_EQ(least.step_count(), schedule.step_count());
}

/// All of two dimensions with up to 4 places, beta up to 4, the longer blocks on either side, in
/// which receivers have no more messages than senders.
TEST(GuoGridSchedule, IsFreeOfContentionInMostCases) {
  std::vector<GuoGridSchedule::Axis> all;
  for (Rank senders = 1; senders <= 4; ++senders) {
    for (Rank receivers = 1; receivers <= 4; ++receivers) {
      for (Index beta = 1; beta <= 4; ++beta) {
        all.push_back({{senders, beta}, {receivers, 1}});
        if (beta > 1) all.push_back({{senders, 1}, {receivers, beta}});
      }
    }
  }
  int cases = 0;
  int free = 0;
  for (const GuoGridSchedule::Axis& rows : all) {
    for (const GuoGridSchedule::Axis& columns : all) {
      const BlockCyclicClasses across(rows.from, rows.to);
      const BlockCyclicClasses along(columns.from, columns.to);
      if (across.most_receives() * along.most_receives() >
          across.most_sends() * along.most_sends()) {
        continue;
      }
      ++cases;
      free += GuoGridSchedule(Axes{rows, columns}).is_free_of_contention() ? 1 : 0;
    }
  }
  EXPECT_EQ(cases, 7056);
  EXPECT_EQ(free, 5185);
}

TEST(GuoGridSchedule, RefusesWhatTheAlgorithmDoesNotSay) {
  EXPECT_THROW(GuoGridSchedule(Axes{{{2, 4}, {4, 3}}}), Error);
  EXPECT_THROW(GuoGridSchedule(Axes{{{3, 1}, {2, 1}}}), Error);
}

}  // namespace
}  // namespace shunt
