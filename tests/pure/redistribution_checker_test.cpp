// What the proof of a redistribution's schedule finds.
#include "lab/proof/redistribution_checker.hpp"

#include <gtest/gtest.h>

namespace shunt {
namespace {

using Steps = std::vector<std::vector<Step>>;

constexpr Rank kNo = kNoRank;

/// Two senders, two receivers: 0 has something for both, 1 for 1.
std::vector<std::string> violations(const Steps& sends, const Steps& receives, int step_count) {
  const PlacesSteps steps{
      .senders = 2,
      .receivers = 2,
      .step_count = step_count,
      .sends = [&](Rank sender) { return sends[static_cast<std::size_t>(sender)]; },
      .receives = [&](Rank receiver) { return receives[static_cast<std::size_t>(receiver)]; },
  };
  return prove_redistribution(
             steps, [](Rank sender, Rank receiver) { return sender == 0 || receiver == 1; })
      .violations;
}

TEST(RedistributionChecker, FindsNothingWrongWithAGoodSchedule) {
  EXPECT_EQ(violations({{{1, 0, kNo}, {2, 1, kNo}}, {{1, 1, kNo}}},
                       {{{1, kNo, 0}}, {{1, kNo, 1}, {2, kNo, 0}}}, 2),
            std::vector<std::string>{});
}

TEST(RedistributionChecker, FindsStepsThatAreNotNeeded) {
  EXPECT_EQ(violations({{{1, 0, kNo}, {3, 1, kNo}}, {{2, 1, kNo}}},
                       {{{1, kNo, 0}}, {{2, kNo, 1}, {3, kNo, 0}}}, 3),
            std::vector<std::string>{"there are 3 steps, but the busiest place has 2 messages"});
}

TEST(RedistributionChecker, FindsAMessageThatIsMissing) {
  const std::vector<std::string> found =
      violations({{{1, 0, kNo}, {2, 1, kNo}}, {}}, {{{1, kNo, 0}}, {{2, kNo, 0}}}, 2);
  EXPECT_EQ(found, std::vector<std::string>{
                       "sender 1 does not send to those that it meets, and to no others"});
}

TEST(RedistributionChecker, FindsContention) {
  EXPECT_FALSE(violations({{{1, 1, kNo}, {2, 0, kNo}}, {{1, 1, kNo}}},
                          {{{2, kNo, 0}}, {{1, kNo, 0}, {1, kNo, 1}}}, 2)
                   .empty());
}

}  // namespace
}  // namespace shunt
