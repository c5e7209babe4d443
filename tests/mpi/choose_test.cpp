// Which algorithms are worth a trial.
#include "planner/choose.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "algorithms/registry.hpp"

namespace shunt {
namespace {

/// Trying what sends the same messages is to choose by chance.
TEST(LikelyAlgorithms, SendOtherMessagesThanA1) {
  for (Rank ranks = 2; ranks <= 20; ++ranks) {
    const Machine machine = Machine::blocked(ranks, ranks);
    const Profile profile = typical_profile({"", "", ranks, 1, ranks, 2});
    for (const Bytes block : {Bytes{1}, Bytes{100}, Bytes{10000}}) {
      const TrafficSummary traffic = any_traffic({block * ranks, block}, ranks);
      const auto names = likely_algorithms(profile, machine, traffic, CallForm::one_shot);
      EXPECT_EQ(std::ranges::count(names, kStraight), 1);
      for (const std::string& name : names) {
        if (name == kStraight) continue;
        EXPECT_GT(make_algorithm(name, machine, 512)->stages(), 1) << name << ", " << ranks;
      }
    }
  }
}

/// The broadcast of one long block that is expected to be the fastest between lone ranks.
std::string expected_of_one_source(double start_up, double per_byte) {
  constexpr Rank kRanks = 16;
  const Machine machine = Machine::blocked(kRanks, 1);
  Profile profile = typical_profile({"", "", kRanks, kRanks, 1, 1});
  profile.plan.outside_start_up = start_up;
  profile.plan.outside_per_byte = per_byte;
  std::vector<Bytes> lengths(kRanks, 0);
  lengths[5] = 100000;
  return likely_broadcasts(profile, Sources(lengths), Surroundings::known(machine), CallForm::plan,
                           false)
      .front();
}

TEST(LikelyBroadcasts, GoByWhatTheMachineCosts) {
  EXPECT_EQ(expected_of_one_source(1e-7, 1e-8), "scatter-first");
  EXPECT_NE(expected_of_one_source(1e-2, 1e-10), "scatter-first");
}

}  // namespace
}  // namespace shunt
