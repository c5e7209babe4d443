// What the examples check their results against: it must see what is wrong.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "../../examples/edge_traffic.hpp"

namespace shunt::example {
namespace {

/// Vertex v leads to v + 1, v + 2 and v + 3.
Graph ring(std::int32_t vertices) {
  Graph graph;
  for (std::int32_t v = 0; v < vertices; ++v) {
    std::vector<std::int32_t> targets{(v + 1) % vertices, (v + 2) % vertices, (v + 3) % vertices};
    std::ranges::sort(targets);
    graph.targets.insert(graph.targets.end(), targets.begin(), targets.end());
    graph.offsets.push_back(std::ssize(graph.targets));
  }
  return graph;
}

TEST(BlockDistribution, OwnersFitTheirBlocks) {
  for (const std::int32_t vertices : {1, 2, 10, 63436}) {
    for (const Rank ranks : {1, 3, 7, 16}) {
      const BlockDistribution blocks(vertices, ranks);
      EXPECT_EQ(blocks.first(0), 0);
      EXPECT_EQ(blocks.first(ranks), vertices);
      for (std::int32_t v = 0; v < vertices; ++v) {
        const Rank owner = blocks.owner(v);
        ASSERT_TRUE(blocks.first(owner) <= v && v < blocks.first(owner + 1))
            << "vertex " << v << " of " << vertices << ", " << ranks << " ranks";
      }
    }
  }
}

class EdgeTrafficCheck : public testing::TestWithParam<OwnerRule> {
 protected:
  static constexpr Rank kRanks = 4;

  [[nodiscard]] EdgeTraffic traffic_of(Rank rank) const {
    return {graph_, Owners(GetParam(), graph_.vertices(), kRanks), rank, kRanks, 2};
  }

  Graph graph_ = ring(50);
};

TEST_P(EdgeTrafficCheck, SendersAndReceiversAgree) {
  std::vector<EdgeTraffic> traffic;
  for (Rank rank = 0; rank < kRanks; ++rank) traffic.push_back(traffic_of(rank));
  for (std::size_t to = 0; to < kRanks; ++to) {
    std::vector<Edge> arriving;
    for (const EdgeTraffic& from : traffic) {
      const Layout& layout = from.send_layout();
      const auto block = from.blocks().subspan(static_cast<std::size_t>(layout.displacements[to]),
                                               static_cast<std::size_t>(layout.counts[to]));
      arriving.insert(arriving.end(), block.begin(), block.end());
    }
    EXPECT_EQ(traffic[to].wrong_bytes_of_blocks(arriving), 0);
    EXPECT_EQ(traffic[to].wrong_bytes_of_records(arriving), 0);
    std::ranges::reverse(arriving);
    EXPECT_NE(traffic[to].wrong_bytes_of_blocks(arriving), 0);
    EXPECT_EQ(traffic[to].wrong_bytes_of_records(arriving), 0);
  }
}

TEST_P(EdgeTrafficCheck, EveryFaultIsCounted) {
  const EdgeTraffic traffic = traffic_of(1);
  const std::vector<Edge> expected(traffic.expected().begin(), traffic.expected().end());
  constexpr Bytes kEdge = sizeof(Edge);

  std::vector<Edge> changed = expected;
  changed[3].target ^= 1;
  EXPECT_EQ(traffic.wrong_bytes_of_blocks(changed), 1);
  EXPECT_EQ(traffic.wrong_bytes_of_records(changed), 2 * kEdge) << "one extra, one missing";

  std::vector<Edge> lost = expected;
  lost.pop_back();
  EXPECT_EQ(traffic.wrong_bytes_of_blocks(lost), kEdge);
  EXPECT_EQ(traffic.wrong_bytes_of_records(lost), kEdge);

  std::vector<Edge> twice = expected;
  twice.push_back(expected.front());
  EXPECT_EQ(traffic.wrong_bytes_of_blocks(twice), kEdge);
  EXPECT_EQ(traffic.wrong_bytes_of_records(twice), kEdge);

  std::vector<Edge> garbage = expected;
  garbage[0].number = -1;
  garbage[1].number = 1 << 30;
  EXPECT_EQ(traffic.wrong_bytes_of_records(garbage), 4 * kEdge);
}

INSTANTIATE_TEST_SUITE_P(Rules, EdgeTrafficCheck,
                         testing::Values(OwnerRule::block, OwnerRule::hash),
                         [](const testing::TestParamInfo<OwnerRule>& rule) {
                           return rule.param == OwnerRule::block ? "block" : "hash";
                         });

}  // namespace
}  // namespace shunt::example
