// Which parts of a stretch of memory are in use.
#include "transport/arena.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace shunt::test {
namespace {

TEST(Arena, HandsOutWhatItHas) {
  Arena arena(100, 200);
  EXPECT_EQ(arena.largest(), 100);
  EXPECT_EQ(arena.take(101), std::nullopt);
  EXPECT_EQ(arena.take(60), 100);
  EXPECT_EQ(arena.take(60), std::nullopt);
  EXPECT_EQ(arena.take(40), 160);
  EXPECT_EQ(arena.largest(), 0);
  EXPECT_EQ(arena.take(1), std::nullopt);
}

TEST(Arena, OfNothingHasNothing) {
  Arena arena(64, 64);
  EXPECT_EQ(arena.largest(), 0);
  EXPECT_EQ(arena.take(1), std::nullopt);
}

TEST(Arena, JoinsWhatIsFreeOnBothSides) {
  Arena arena(0, 30);
  for (const Bytes expected : {0, 10, 20}) EXPECT_EQ(arena.take(10), expected);
  arena.give(0, 10);
  arena.give(20, 10);
  EXPECT_EQ(arena.largest(), 10);
  arena.give(10, 10);
  EXPECT_EQ(arena.largest(), 30);
  EXPECT_EQ(arena.take(30), 0);
}

TEST(Arena, NeverHandsOutAByteTwice) {
  constexpr Bytes kEnd = 997;
  Arena arena(0, kEnd);
  std::vector<bool> used(kEnd, false);
  std::vector<std::pair<Bytes, Bytes>> taken;
  std::minstd_rand random(4);
  for (int i = 0; i < 20000; ++i) {
    if (random() % 2 == 0) {
      const Bytes bytes = 1 + static_cast<Bytes>(random() % 90);
      const Bytes largest = arena.largest();
      const auto at = arena.take(bytes);
      ASSERT_EQ(at.has_value(), bytes <= largest);
      if (!at) continue;
      for (Bytes byte = *at; byte < *at + bytes; ++byte) {
        ASSERT_FALSE(used[static_cast<std::size_t>(byte)]);
        used[static_cast<std::size_t>(byte)] = true;
      }
      taken.emplace_back(*at, bytes);
    } else if (!taken.empty()) {
      std::swap(taken[random() % taken.size()], taken.back());
      const auto [at, bytes] = taken.back();
      taken.pop_back();
      arena.give(at, bytes);
      for (Bytes byte = at; byte < at + bytes; ++byte) used[static_cast<std::size_t>(byte)] = false;
    }
  }
  for (const auto& [at, bytes] : taken) arena.give(at, bytes);
  EXPECT_EQ(arena.largest(), kEnd);
}

}  // namespace
}  // namespace shunt::test
