// Copies of any length: the same bytes as memcpy's, wherever they begin in their pages.
#include "routing/move_bytes.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace shunt::test {
namespace {

constexpr Bytes kMostBehind = 130;  // two lines and a little

/// To so many bytes behind the source within their pages.
void expect_moved(Bytes bytes, Bytes behind) {
  constexpr std::byte kPoison{0xa5};
  constexpr Bytes kPage = 4096;
  std::vector<std::byte> source(static_cast<std::size_t>(bytes) + 1);
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i % 251);
  std::vector<std::byte> target(static_cast<std::size_t>(bytes + 2 * kPage), kPoison);
  std::vector<std::byte> expected = target;
  const Bytes apart = (source.data() + behind - target.data()) % kPage;
  const Bytes begin = apart > 0 ? apart : apart + kPage;
  ASSERT_EQ(is_just_behind(target.data() + begin, source.data()), behind > 0 && behind < 64);
  std::copy_n(source.begin(), bytes, expected.begin() + begin);
  move_bytes(target.data() + begin, source.data(), bytes);
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
