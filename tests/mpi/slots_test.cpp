// How messages share a rank's memory in the node: everything in its room, and long messages in as
// many handovers as the others.
#include "transport/slots.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace shunt::test {
namespace {

TEST(Slots, KeepToTheirRoomForAnyLengths) {
  std::mt19937 dice(7);
  const auto draw = [&dice](Bytes end) {
    return std::uniform_int_distribution<Bytes>(0, end - 1)(dice);
  };
  for (int repetition = 0; repetition < 2000; ++repetition) {
    std::vector<Bytes> lengths(static_cast<std::size_t>(1 + draw(70)));
    for (Bytes& length : lengths) length = (Bytes{1} << draw(36)) + draw(1000);
    const Bytes room = Bytes{1024} * static_cast<Bytes>(lengths.size()) + draw(1 << 20);
    Slots slots(room, lengths);
    Bytes used = 0;
    for (const Bytes length : lengths) {
      const SharedMessage message = slots.next(length);
      EXPECT_EQ(message.length, length);
      ASSERT_GE(message.offset, used);
      ASSERT_TRUE(message.ring > 0 || length <= kLongestWhole);
      EXPECT_EQ(message.ring % Region::kLine, 0);
      used = message.offset + (message.ring > 0 ? Pipe::kHead + message.ring : length);
    }
    ASSERT_EQ(used, slots.used());
    ASSERT_LE(used, room) << "repetition " << repetition;
  }
}

/// With equal rings the longest message would be handed over in 500 pieces after all others.
TEST(Slots, GiveLongerMessagesLongerRings) {
  std::vector<Bytes> lengths(62, 50000);
  lengths.push_back(2000000);
  Slots slots(Bytes{240} << 10, lengths);
  ASSERT_TRUE(slots.fit());
  const Bytes ring = slots.next(50000).ring;
  for (int k = 1; k < 62; ++k) EXPECT_EQ(slots.next(50000).ring, ring);
  const Bytes longest = slots.next(2000000).ring;
  EXPECT_LE(2000000 / longest, 3 * (50000 / ring + 1));
}

TEST(Slots, GiveEqualMessagesEqualRings) {
  const std::vector<Bytes> lengths(8, 100000);
  Slots slots(Bytes{256} << 10, lengths);
  const Bytes part = (Bytes{256} << 10) / 8;
  for (int k = 0; k < 8; ++k) {
    const Bytes ring = slots.next(100000).ring;
    EXPECT_LE(ring, part - Pipe::kHead);
    EXPECT_GE(ring, part - Pipe::kHead - 2 * Region::kLine);
  }
}

}  // namespace
}  // namespace shunt::test
