// Schedules of redistributions: who meets whom against the indices themselves, and steps by the
// checker.
#include "lab/schedules/block_cyclic_schedule.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "lab/proof/checker.hpp"
#include "lab/schedules/guo_schedule.hpp"
#include "model/ldd.hpp"
#include "shunt/error.hpp"

namespace shunt {
namespace {

/// Receivers count on from the last sender, so that all are ranks of one schedule.
std::vector<std::string> check(const BlockCyclicSchedule& schedule, Rank senders, Rank receivers) {
  return check_schedule(senders + receivers, schedule.step_count(), [&](Rank rank) {
    if (rank >= senders) return schedule.receives(rank - senders);
    std::vector<Step> steps = schedule.sends(rank);
    for (Step& step : steps) step.to += senders;
    return steps;
  });
}

/// That the schedule is sound, carries what `meet` says, and takes as many steps as the busiest
/// place has messages.
void expect_least(const Dealing& from, const Dealing& to, Index shift) {
  SCOPED_TRACE(testing::Message() << from.places << " x " << from.block << " to " << to.places
                                  << " x " << to.block << ", shift " << shift);
  const BlockCyclicSchedule schedule(from, to, shift);
  ASSERT_EQ(check(schedule, from.places, to.places), std::vector<std::string>{});
  std::vector<int> received(static_cast<std::size_t>(to.places), 0);
  int most = 0;
  for (Rank sender = 0; sender < from.places; ++sender) {
    std::vector<Rank> sent;
    for (const Step& step : schedule.sends(sender)) sent.push_back(step.to);
    std::ranges::sort(sent);
    std::vector<Rank> met;
    for (Rank receiver = 0; receiver < to.places; ++receiver) {
      if (!schedule.meet(sender, receiver)) continue;
      met.push_back(receiver);
      most = std::max(most, ++received[static_cast<std::size_t>(receiver)]);
    }
    ASSERT_EQ(sent, met);
    most = std::max(most, static_cast<int>(met.size()));
  }
  ASSERT_EQ(schedule.step_count(), most);
}

/// In an array of a whole period, and some more on both sides.
TEST(BlockCyclicSchedule, MeetsAreThoseOfTheIndices) {
  for (Rank senders = 1; senders <= 4; ++senders) {
    for (Rank receivers = 1; receivers <= 5; ++receivers) {
      for (Index b = 1; b <= 6; ++b) {
        for (Index c = 1; c <= 5; ++c) {
          for (const Index shift : {-4, 0, 3}) {
            const BlockCyclicSchedule schedule({senders, b}, {receivers, c}, shift);
            const Index extent = std::lcm(senders * b, receivers * c);
            for (Rank i = 0; i < senders; ++i) {
              for (Rank j = 0; j < receivers; ++j) {
                const LddOverlap overlap({i * b, b, senders * b}, {j * c + shift, c, receivers * c},
                                         extent);
                ASSERT_EQ(schedule.meet(i, j), !overlap.empty())
                    << senders << " x " << b << ", " << receivers << " x " << c << ", " << shift;
              }
            }
          }
        }
      }
    }
  }
}

TEST(BlockCyclicSchedule, TakesTheLeastSteps) {
  for (Rank senders = 1; senders <= 8; ++senders) {
    for (Rank receivers = 1; receivers <= 8; ++receivers) {
      for (Index b = 1; b <= 9; ++b) {
        for (Index c = 1; c <= 9; ++c) expect_least({senders, b}, {receivers, c}, 0);
      }
    }
  }
}

TEST(BlockCyclicSchedule, TakesTheLeastStepsAtRandom) {
  std::mt19937 random(7);
  const auto up_to = [&](unsigned most) { return static_cast<Rank>(1 + random() % most); };
  for (int round = 0; round < 2000; ++round) {
    expect_least({up_to(40), up_to(60)}, {up_to(40), up_to(60)}, up_to(100) - 50);
  }
}

TEST(BlockCyclicSchedule, RefusesLongerStrides) {
  EXPECT_THROW(BlockCyclicSchedule({3, Index{1} << 62}, {2, 5}), Error);
}

std::vector<std::vector<Rank>> table(const GuoSchedule& schedule) {
  std::vector<std::vector<Rank>> rows;
  for (Rank sender = 0; sender < schedule.senders(); ++sender) {
    rows.emplace_back();
    for (Rank step = 1; step <= schedule.step_count(); ++step) {
      rows.back().push_back(schedule.receiver(sender, step));
    }
  }
  return rows;
}

TEST(GuoSchedule, IsThatOfFigure7) {
  EXPECT_EQ(
      table({6, 6, 4}),
      (std::vector<std::vector<Rank>>{
          {0, 1, 2, 3}, {4, 5, 0, 1}, {2, 3, 4, 5}, {1, 2, 3, 0}, {5, 0, 1, 4}, {3, 4, 5, 2}}));
  EXPECT_EQ(table({5, 5, 3}), (std::vector<std::vector<Rank>>{
                                  {0, 1, 2}, {3, 4, 0}, {1, 2, 3}, {4, 0, 1}, {2, 3, 4}}));
}

/// Everybody sends to those that it meets, and nobody hears from two at once.
TEST(GuoSchedule, IsFreeOfContention) {
  for (Rank senders = 1; senders <= 24; ++senders) {
    for (Rank receivers = senders; receivers <= 24; ++receivers) {
      for (Index beta = 1; beta <= 36; ++beta) {
        const GuoSchedule schedule(senders, receivers, beta);
        const BlockCyclicSchedule general({senders, 3 * beta}, {receivers, 3});
        ASSERT_EQ(schedule.step_count(), general.step_count());
        std::vector<std::vector<Rank>> rows = table(schedule);
        for (Rank step = 0; step < schedule.step_count(); ++step) {
          std::vector<bool> hears(static_cast<std::size_t>(receivers), false);
          for (const auto& row : rows) {
            const auto to = static_cast<std::size_t>(row[static_cast<std::size_t>(step)]);
            ASSERT_FALSE(hears[to]) << senders << " " << receivers << " " << beta;
            hears[to] = true;
          }
        }
        for (Rank sender = 0; sender < senders; ++sender) {
          std::vector<Rank>& row = rows[static_cast<std::size_t>(sender)];
          std::ranges::sort(row);
          for (Rank to = 0; to < receivers; ++to) {
            ASSERT_EQ(std::ranges::binary_search(row, to), general.meet(sender, to));
          }
        }
      }
    }
  }
}

TEST(GuoSchedule, RefusesMoreSendersThanReceivers) { EXPECT_THROW(GuoSchedule(3, 2, 1), Error); }

}  // namespace
}  // namespace shunt
