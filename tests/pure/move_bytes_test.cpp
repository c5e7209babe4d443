// Copies of any length: the same bytes as memcpy's, wherever they begin in their pages.
#include "routing/move_bytes.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace shunt::test {
namespace {

constexpr Bytes kMostBehind = 130;  // two lines and a little

void expect_moved(Bytes bytes, Bytes behind) {
  constexpr std::byte kPoison{0xa5};
  constexpr Bytes kBefore = 8;
  std::vector<std::byte> source(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i % 251);
  std::vector<std::byte> expected(static_cast<std::size_t>(kBefore + behind + bytes) + 8, kPoison);
  std::vector<std::byte> target = expected;
  std::ranges::copy(source, expected.begin() + kBefore + behind);
  move_bytes(target.data() + kBefore + behind, source.data(), bytes);
  ASSERT_TRUE(target == expected) << bytes << " bytes to " << behind << " behind";
}

TEST(MoveBytes, MovesWhatItIsGivenAndNoMore) {
  for (const Bytes bytes : {Bytes{0}, Bytes{1}, Bytes{100}, kLoopOfMemcpy - 1, kLoopOfMemcpy,
                            kLoopOfMemcpy + 1, 3 * kLoopOfMemcpy, 3 * kLoopOfMemcpy + 7}) {
    for (Bytes behind = 0; behind <= kMostBehind; ++behind) expect_moved(bytes, behind);
  }
}

TEST(MoveBytes, TouchesNothingWhereThereIsNothing) { move_bytes(nullptr, nullptr, 0); }

TEST(MoveBytes, MovesManyPieces) {
  constexpr Bytes kOfCaches = 131072;
  for (const Bytes bytes : {kOfCaches, kOfCaches + 1, 3 * kOfCaches + 5}) {
    for (Bytes behind = 0; behind <= kMostBehind; behind += 13) expect_moved(bytes, behind);
  }
}

}  // namespace
}  // namespace shunt::test
