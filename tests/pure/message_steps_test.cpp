// When messages of redistributions are sent: in the steps of a schedule, whatever the arrays.
#include "redistribution/message_steps.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "support/dealt_array.hpp"

namespace shunt::test {
namespace {

std::set<Rank> peers_of(const std::vector<BoxMessage>& messages) {
  std::set<Rank> peers;
  for (const BoxMessage& message : messages) peers.insert(message.peer);
  return peers;
}

/// The peers, each in a step of its own.
std::set<Rank> peers_of(const std::map<Rank, Index>& steps) {
  std::set<Rank> peers;
  std::set<Index> taken;
  for (const auto& [peer, step] : steps) {
    peers.insert(peer);
    EXPECT_TRUE(taken.insert(step).second) << "two messages in step " << step;
  }
  return peers;
}

/// Both ends of a message have the same step, in which neither has another one of its kind; and
/// there are no more steps than the busiest rank has messages.
TEST(MessageSteps, AreThoseOfAScheduleInRandomCases) {
  std::mt19937 random(31);
  for (int turn = 0; turn < 1000; ++turn) {
    SCOPED_TRACE(testing::Message() << "turn " << turn);
    const auto ranks = static_cast<Rank>(1 + random() % 24);
    const RedistributionCase made = random_case(random, ranks);
    const Redistribution redistribution(made.from, made.to, made.extents, ranks);
    const std::vector<Bytes> strides(made.extents.size(), 1);
    std::vector<MessageSteps> steps;
    std::size_t busiest = 0;
    for (Rank rank = 0; rank < ranks; ++rank) {
      steps.push_back(scheduled_steps(redistribution, rank));
      ASSERT_EQ(peers_of(steps.back().sends), peers_of(redistribution.sends(rank, strides, 1)));
      ASSERT_EQ(peers_of(steps.back().receives),
                peers_of(redistribution.receives(rank, strides, 1)));
      busiest = std::max({busiest, steps.back().sends.size(), steps.back().receives.size()});
    }
    for (Rank sender = 0; sender < ranks; ++sender) {
      for (const auto& [receiver, step] : steps[static_cast<std::size_t>(sender)].sends) {
        EXPECT_EQ(steps[static_cast<std::size_t>(receiver)].receives.at(sender), step);
        EXPECT_LE(step, static_cast<Index>(busiest));
      }
    }
  }
}

}  // namespace
}  // namespace shunt::test
