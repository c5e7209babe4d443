#include "lab/proof/torus_cost.hpp"

#include <array>

#include <gtest/gtest.h>

namespace shunt {
namespace {

/// Liu 2005, Section 5: the parameters of the Intel Paragon, in microseconds.
constexpr LinkCost kParagon{75, 0.011, 0.014};

TEST(TorusCost, OfTable2InFigure6) {
  // 16 x 16 ranks, blocks of 64 bytes.
  EXPECT_NEAR(table_2_cost(TorusAlgorithm::tseng_1997, 4).seconds(kParagon, 64), 3715.5, 0.05);
  EXPECT_NEAR(table_2_cost(TorusAlgorithm::suh_1998, 4).seconds(kParagon, 64), 4156.6, 0.05);
  EXPECT_NEAR(table_2_cost(TorusAlgorithm::suh_2001, 4).seconds(kParagon, 64), 2339.2, 0.05);
  EXPECT_NEAR(table_2_cost(TorusAlgorithm::at2, 4).seconds(kParagon, 64), 1798.6, 0.05);
}

TEST(TorusCost, OfTable2OnTheSmallestTorus) {
  auto parts = [](TorusAlgorithm algorithm) {
    const TorusCost cost = table_2_cost(algorithm, 2);
    return std::array{cost.start_ups, cost.transmission, cost.rearrangement};
  };
  EXPECT_EQ(parts(TorusAlgorithm::tseng_1997), (std::array{4.0, 32.0, 48.0}));
  EXPECT_EQ(parts(TorusAlgorithm::suh_1998), (std::array{3.0, 12.0, 12.0}));
  EXPECT_EQ(parts(TorusAlgorithm::suh_2001), (std::array{4.0, 32.0, 48.0}));
  EXPECT_EQ(parts(TorusAlgorithm::at2), (std::array{4.0, 8.0, 48.0}));
}

/// Section 5 says so of any block; but for single bytes the fewest start-ups are ahead.
TEST(TorusCost, OfAT2IsTheLeastFromTwoBytesOn) {
  auto seconds = [](TorusAlgorithm algorithm, int d, Bytes block) {
    return table_2_cost(algorithm, d).seconds(kParagon, block);
  };
  for (int d = 4; d <= 7; ++d) {
    for (Bytes block = 2; block <= 1 << 20; block *= 2) {
      const double at2 = seconds(TorusAlgorithm::at2, d, block);
      EXPECT_LT(at2, seconds(TorusAlgorithm::tseng_1997, d, block));
      EXPECT_LT(at2, seconds(TorusAlgorithm::suh_1998, d, block));
      EXPECT_LT(at2, seconds(TorusAlgorithm::suh_2001, d, block));
    }
    EXPECT_EQ(seconds(TorusAlgorithm::suh_1998, d, 1) < seconds(TorusAlgorithm::at2, d, 1), d <= 5);
  }
}

TEST(TorusCost, OfRingsIsLemma2s) {
  for (Rank ranks = 4; ranks <= 64; ranks += 2) {
    const TorusCost cost = ring_cost(ranks);
    EXPECT_EQ(cost.start_ups, ranks / 2);
    EXPECT_EQ(cost.transmission, (ranks * ranks + 7) / 8);
    EXPECT_EQ(cost.rearrangement, 0);
  }
}

/// Lemma 4 where it holds, and what AT2 needs where it does not.
TEST(TorusCost, OfAT2IsLemma4sForSquaresOfMultiplesOf8) {
  for (const Rank extent : {8, 16, 24, 32, 64}) {
    const TorusCost cost = torus_cost(extent, extent);
    const TorusCost published = published_torus_cost(extent, extent);
    EXPECT_EQ(cost.start_ups, published.start_ups);
    EXPECT_EQ(cost.transmission, published.transmission) << extent;
    EXPECT_EQ(cost.transmission, least_transmission(Extents({extent, extent})));
    EXPECT_EQ(cost.rearrangement, published.rearrangement);
  }
  EXPECT_EQ(published_torus_cost(4, 12).transmission, 72);
  EXPECT_EQ(torus_cost(4, 12).transmission, 76);
  EXPECT_EQ(published_torus_cost(12, 16).transmission, 384);
  EXPECT_EQ(torus_cost(12, 16).transmission, 424);
  for (const Rank rows : {4, 8, 12, 16}) {
    for (const Rank columns : {4, 8, 12, 16}) {
      EXPECT_EQ(torus_cost(rows, columns).transmission, torus_cost(columns, rows).transmission);
      EXPECT_GE(torus_cost(rows, columns).transmission,
                least_transmission(Extents({rows, columns})));
    }
  }
}

TEST(TorusCost, HasTheBoundOfLemma1AlsoForOddExtents) {
  EXPECT_EQ(least_transmission(Extents({8})), 8);
  EXPECT_EQ(least_transmission(Extents({5})), 3);
  EXPECT_EQ(least_transmission(Extents({6})), 4.5);
  EXPECT_EQ(least_transmission(Extents({4, 12})), 72);
  EXPECT_EQ(least_transmission(Extents({5, 7})), 30);
  EXPECT_EQ(least_transmission(Extents({6, 6, 6})), 162);
  EXPECT_EQ(least_transmission(Extents({4, 4, 4, 4})), 128);
  EXPECT_EQ(least_transmission(Extents({1})), 0);
}

TEST(TorusCost, OfThePipelinesIsTheBound) {
  const TorusCost split = split_cost(Extents({5, 6, 7}));
  EXPECT_EQ(split.start_ups, 9);
  EXPECT_EQ(split.transmission, least_transmission(Extents({5, 6, 7})));
  EXPECT_EQ(split.rearrangement, 3 * 210);
  EXPECT_EQ(split_cost(Extents({7, 1})).start_ups, 3);
  const TorusCost pipeline = torus_pipeline_cost(6, 10);
  EXPECT_EQ(pipeline.start_ups, 6);
  EXPECT_EQ(pipeline.transmission, 75);
  EXPECT_EQ(pipeline.rearrangement, 180);
}

}  // namespace
}  // namespace shunt
