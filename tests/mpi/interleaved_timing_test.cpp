// What counts of calls that are timed in turn.
#include "planner/interleaved_timing.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "context/context.hpp"
#include "mpi/own_clock.hpp"

namespace shunt::test {
namespace {

constexpr int kCallsOfTurn = 3;
constexpr double kLongCall = 3e-3;

/// Takes `kLongCall` seconds in the first call of each turn, and nothing in the others.
std::function<void()> long_at_first() {
  return [call = 0]() mutable {
    if (call++ % kCallsOfTurn == 0) OwnClock::pass(kLongCall);
  };
}

std::vector<double> times_of_turns(bool in_a_row) {
  const OwnClock clock;
  const auto context = Context::of(MPI_COMM_SELF);
  return time_interleaved(*context, {long_at_first()}, {1, 9, kCallsOfTurn, {}, in_a_row}).front();
}

TEST(InterleavedTiming, TakesTheMeanOfCallsInARow) {
  const std::vector<double> times = times_of_turns(true);
  ASSERT_EQ(times.size(), 9U);
  EXPECT_GE(std::ranges::min(times), kLongCall / kCallsOfTurn);
  EXPECT_LT(std::ranges::min(times), kLongCall);
}

TEST(InterleavedTiming, TakesTheLastOfOtherCalls) {
  EXPECT_LT(std::ranges::min(times_of_turns(false)), kLongCall / kCallsOfTurn);
}

}  // namespace
}  // namespace shunt::test
