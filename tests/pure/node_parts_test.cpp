// What nodes take over from each other, so that all pass on alike.
#include "algorithms/broadcast/node_parts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace shunt {
namespace {

/// Every way to deal numbers from 0 to `most` out to `nodes` nodes.
template <class Visit>
void for_each_case(std::size_t nodes, Bytes most, const Visit& visit) {
  std::vector<Bytes> bytes(nodes, 0);
  for (;;) {
    visit(bytes);
    std::size_t at = 0;
    while (at < nodes && bytes[at] == most) bytes[at++] = 0;
    if (at == nodes) return;
    ++bytes[at];
  }
}

/// Whether the parts are all bytes of all nodes, each once.
bool cover(std::vector<NodePart> parts, const std::vector<Bytes>& bytes) {
  std::ranges::sort(parts, {},
                    [](const NodePart& part) { return std::pair(part.origin, part.begin); });
  std::vector<Bytes> reached(bytes.size(), 0);
  for (const NodePart& part : parts) {
    Bytes& end = reached[static_cast<std::size_t>(part.origin)];
    if (part.begin != end || part.end <= part.begin) return false;
    end = part.end;
  }
  return reached == bytes;
}

std::vector<Bytes> passed_on(const std::vector<NodePart>& parts, std::size_t nodes) {
  std::vector<Bytes> sums(nodes, 0);
  for (const NodePart& part : parts) {
    sums[static_cast<std::size_t>(part.holder)] += part.end - part.begin;
  }
  return sums;
}

/// What each node passes on of its own.
std::vector<Bytes> kept(std::vector<NodePart> parts, std::size_t nodes) {
  std::erase_if(parts, [](const NodePart& part) { return part.holder != part.origin; });
  return passed_on(parts, nodes);
}

std::vector<Bytes> least_of_each(const std::vector<Bytes>& some, const std::vector<Bytes>& others) {
  std::vector<Bytes> least(some.size(), 0);
  std::ranges::transform(some, others, least.begin(),
                         [](Bytes one, Bytes other) { return std::min(one, other); });
  return least;
}

TEST(NodeParts, AreEvenAndMoveNoMoreThanNeeded) {
  for (const std::size_t nodes : {1U, 2U, 3U, 4U, 5U}) {
    for_each_case(nodes, 6, [&](const std::vector<Bytes>& bytes) {
      const std::vector<NodePart> parts = evened_parts(bytes);
      ASSERT_TRUE(cover(parts, bytes));
      ASSERT_TRUE(std::ranges::is_sorted(parts));
      const std::vector<Bytes> sums = passed_on(parts, nodes);
      const Bytes total = std::reduce(bytes.begin(), bytes.end());
      const auto [least, most] = std::ranges::minmax(sums);
      const bool moves = std::ranges::any_of(
          parts, [](const NodePart& part) { return part.holder != part.origin; });
      const Bytes longest = std::ranges::max(bytes);
      if (4 * longest * static_cast<Bytes>(nodes) <= 5 * total || total == 0) {
        ASSERT_FALSE(moves);
        return;
      }
      ASSERT_LE(most - least, 1);
      ASSERT_EQ(kept(parts, nodes), least_of_each(bytes, sums));
    });
  }
}

TEST(NodeParts, AreTheirOwnWhoeverHasMore) {
  for_each_case(3, 3, [](const std::vector<Bytes>& bytes) {
    const std::vector<NodePart> parts = own_parts(bytes);
    ASSERT_TRUE(cover(parts, bytes));
    ASSERT_EQ(passed_on(parts, 3), bytes);
  });
}

TEST(NodeParts, OfHugeBlocksDoNotOverflow) {
  const Bytes huge = Bytes{1} << 61;
  const std::vector<Bytes> bytes{huge, 0, 3};
  const std::vector<NodePart> parts = evened_parts(bytes);
  EXPECT_TRUE(cover(parts, bytes));
  const std::vector<Bytes> sums = passed_on(parts, 3);
  EXPECT_LE(std::ranges::max(sums) - std::ranges::min(sums), 1);
}

}  // namespace
}  // namespace shunt
