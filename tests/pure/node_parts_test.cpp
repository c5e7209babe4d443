// What nodes take over from each other, so that all pass on alike.
#include "algorithms/broadcast/node_parts.hpp"

#include <algorithm>
#include <numeric>
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
      for (std::size_t node = 0; node < nodes; ++node) {
        for (const NodePart& part : parts) {
          // Who gives something away does not take anything, and keeps all that it may.
          if (part.origin == static_cast<Rank>(node) && part.holder != part.origin) {
            ASSERT_GT(bytes[node], sums[node]);
          }
        }
      }
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
