// Which algorithms are worth a trial.
#include "planner/choose.hpp"

#include <algorithm>

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

}  // namespace
}  // namespace shunt
