// What a communicator has learned is kept by the kind of call.
#include "learning/learned_calls.hpp"

#include <gtest/gtest.h>

namespace shunt::test {
namespace {

TEST(LearnedCalls, KeepsKindsApart) {
  CallKind gather;
  gather.name = "allgatherv";
  CallKind packets;
  packets.packet = 4096;
  LearnedCalls learned;
  LearnedKind& usual = learned.of({});
  EXPECT_EQ(&learned.of({}), &usual);
  EXPECT_NE(&learned.of(gather), &usual);
  EXPECT_NE(&learned.of(packets), &learned.of(gather));
  EXPECT_EQ(&learned.of({}), &usual) << "a kind is found again after calls of others";
  EXPECT_EQ(learned.kinds.size(), 3U);
}

}  // namespace
}  // namespace shunt::test
