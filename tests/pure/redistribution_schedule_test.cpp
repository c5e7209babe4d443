// Redistributions of any extents and numbers of dimensions: against the indices themselves, and
// by the checker.
#include "schedule/redistribution_schedule.hpp"

#include <map>
#include <numeric>

#include <gtest/gtest.h>

#include "lab/proof/redistribution_checker.hpp"
#include "lab/schedules/random_redistribution.hpp"
#include "shunt/error.hpp"

namespace shunt {
namespace {

using ScheduledMessages = std::map<std::pair<Rank, Rank>, Index>;

/// How much goes from whom to whom, index by index, along one dimension.
ScheduledMessages messages_along(const RedistributionAxis& axis) {
  ScheduledMessages messages;
  for (Index i = 0; i < axis.extent; ++i) {
    ++messages[{axis.from.place_of(i + axis.from_begin), axis.to.place_of(i + axis.to_begin)}];
  }
  return messages;
}

/// What a schedule sends.
ScheduledMessages messages_of(const RedistributionSchedule& schedule) {
  ScheduledMessages messages;
  for (Rank sender = 0; sender < schedule.senders(); ++sender) {
    for (const Step& step : schedule.sends(sender)) {
      messages[{sender, step.to}] = schedule.elements(sender, step.to);
    }
  }
  return messages;
}

/// All extents up to two periods, parts that begin elsewhere on both sides.
TEST(RedistributionSchedule, SendsWhatTheIndicesSay) {
  for (const Rank senders : {1, 3, 4}) {
    for (const Rank receivers : {1, 2, 5}) {
      for (const Index b : {1, 2, 6}) {
        for (const Index c : {1, 3, 4}) {
          const Index period = std::lcm(senders * b, receivers * c);
          for (Index extent = 0; extent <= 2 * period; ++extent) {
            const RedistributionAxis axis{{100, b, senders, senders / 2},
                                          {100, c, receivers, receivers / 2},
                                          extent,
                                          extent % 7,
                                          extent % 4};
            ASSERT_EQ(messages_of(RedistributionSchedule({axis})), messages_along(axis))
                << senders << " x " << b << " to " << receivers << " x " << c << ", " << extent;
          }
        }
      }
    }
  }
}

/// Two dimensions, element by element, with places numbered row by row and column by column.
TEST(RedistributionSchedule, SendsWhatTheElementsSay) {
  const RedistributionAxis rows{{7, 2, 2}, {7, 1, 3, 1}, 7};
  const RedistributionAxis columns{{9, 3, 3}, {12, 2, 2}, 9, 0, 3};
  const RedistributionSchedule schedule({rows, columns}, PlaceOrder::row_major,
                                        PlaceOrder::column_major);
  ScheduledMessages messages;
  for (const auto& [row_places, height] : messages_along(rows)) {
    for (const auto& [column_places, width] : messages_along(columns)) {
      messages[{row_places.first * 3 + column_places.first,
                row_places.second + column_places.second * 3}] = height * width;
    }
  }
  EXPECT_EQ(messages_of(schedule), messages);
}

TEST(RedistributionSchedule, TakesTheLeastStepsAtRandom) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    const RandomRedistribution random = random_redistribution(seed);
    ASSERT_EQ(prove_redistribution(random.axes, random.from, random.to).violations,
              std::vector<std::string>{})
        << random.name();
  }
}

/// BLOCK of one size to BLOCK of another, as long as the blocks of all senders: only the last
/// receiver's block is a shorter one.
TEST(RedistributionSchedule, ShortArraysTakeFewerStepsThanLongOnes) {
  const RedistributionAxis axis{{10, 3, 4}, {10, 4, 3}, 10};
  EXPECT_EQ(RedistributionSchedule({axis}).step_count(), 2);
  const RedistributionAxis cyclic{{6, 3, 4}, {6, 2, 4}, 6};
  EXPECT_EQ(RedistributionSchedule({cyclic}).step_count(), 2);
  const RedistributionAxis longer{{24, 3, 4}, {24, 2, 4}, 24};
  EXPECT_EQ(RedistributionSchedule({longer}).step_count(), 4);
}

/// The dimensions' own steps would be 2 times 4; but no place has more than 4 messages.
TEST(RedistributionSchedule, ColoursDimensionsTogetherWhereThatTakesFewerSteps) {
  const RedistributionAxis widens{{4096, 1, 2}, {4096, 1, 4}, 4096};
  const RedistributionAxis narrows{{4096, 4, 4}, {4096, 1, 2}, 4096};
  const RedistributionSchedule schedule({widens, narrows});
  EXPECT_EQ(RedistributionSchedule({widens}).step_count(), 2);
  EXPECT_EQ(RedistributionSchedule({narrows}).step_count(), 4);
  EXPECT_EQ(schedule.step_count(), 4);
}

/// One index less than a period, of 3 * 10^11 indices: what is looked at is bounded by the blocks
/// of the longer kind and by the meetings.
TEST(RedistributionSchedule, FindsTheMeetingsOfLongBlocksFast) {
  const Index extent = 300 * Index{1'000'000'000} - 1;
  const RedistributionAxis axis{{extent, 1'000'000'000, 300}, {extent, 1, 250}, extent};
  const RedistributionSchedule schedule({axis});
  EXPECT_EQ(schedule.step_count(), 300);
  EXPECT_EQ(schedule.receives(249).size(), 300U);
}

TEST(RedistributionSchedule, NumbersPlacesInEitherOrder) {
  const PlaceGrid rows({2, 3, 4}, PlaceOrder::row_major);
  const PlaceGrid columns({2, 3, 4}, PlaceOrder::column_major);
  EXPECT_EQ(rows.places(), 24);
  EXPECT_EQ(rows.stride(0), 12);
  EXPECT_EQ(rows.stride(2), 1);
  EXPECT_EQ(columns.stride(0), 1);
  EXPECT_EQ(columns.stride(2), 6);
  EXPECT_EQ(rows.coordinate(23, 1), 2);
  EXPECT_EQ(columns.coordinate(7, 1), 0);
  EXPECT_EQ(columns.coordinate(7, 2), 1);
}

TEST(RedistributionSchedule, RefusesGridsOfTooManyPlaces) {
  const RedistributionAxis axis{{1, 1, 1 << 16}, {1, 1, 1}, 1};
  EXPECT_THROW(RedistributionSchedule({axis, axis}), Error);
}

}  // namespace
}  // namespace shunt
