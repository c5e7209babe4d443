#include "lab/traffic/distribution_text.hpp"

#include <gtest/gtest.h>

#include "shunt/error.hpp"

namespace shunt {
namespace {

void expect_axis(const char* text, Index extent, Index block, Rank places) {
  const BlockCyclic axis = parse_distribution(text, extent);
  EXPECT_EQ(axis.extent, extent) << text;
  EXPECT_EQ(axis.block, block) << text;
  EXPECT_EQ(axis.places, places) << text;
  EXPECT_EQ(axis.first, 0) << text;
}

TEST(DistributionText, IsHighPerformanceFortran) {
  expect_axis("CYCLIC(6) onto 4", 120000, 6, 4);
  expect_axis("cyclic( 12345678901 )ONTO 2", 7, 12345678901, 2);
  expect_axis("CYCLIC onto 3", 10, 1, 3);
  expect_axis("BLOCK onto 4", 12, 3, 4);
  expect_axis("BLOCK onto 4", 13, 4, 4);
  expect_axis("BLOCK onto 4", 1, 1, 4);
  expect_axis(" * ", 9, 9, 1);
}

void expect_axes(const char* text, const std::vector<Index>& shape,
                 const std::vector<std::pair<Index, Rank>>& blocks_and_places) {
  const std::vector<BlockCyclic> axes = parse_distribution(text, shape);
  ASSERT_EQ(axes.size(), shape.size()) << text;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    EXPECT_EQ(axes[k].extent, shape[k]) << text;
    EXPECT_EQ(axes[k].block, blocks_and_places[k].first) << text;
    EXPECT_EQ(axes[k].places, blocks_and_places[k].second) << text;
  }
}

TEST(DistributionText, HasSeveralDimensions) {
  expect_axes("(BLOCK, CYCLIC(2)) onto 2x4", {9, 8}, {{5, 2}, {2, 4}});
  expect_axes("block,cyclic ONTO 3X5", {9, 8}, {{3, 3}, {1, 5}});
  expect_axes("(BLOCK, *, CYCLIC(7)) onto 2x3", {4, 5, 6}, {{2, 2}, {5, 1}, {7, 3}});
  expect_axes("(*, *)", {4, 5}, {{4, 1}, {5, 1}});
  expect_axes("(CYCLIC(3)) onto 4", {5}, {{3, 4}});
  for (const char* text :
       {"(BLOCK, BLOCK) onto 4", "(BLOCK, *) onto 2x2", "(BLOCK, BLOCK) onto 2x2x2",
        "(BLOCK, BLOCK", "(BLOCK, BLOCK) onto 2x0", "(BLOCK, BLOCK) onto 2x", "(BLOCK, BLOCK)",
        "(*, *) onto 1", "(BLOCK, ) onto 2x2", "BLOCK onto 4", "(BLOCK, BLOCK, *) onto 2x2", ""}) {
    EXPECT_THROW((void)parse_distribution(text, std::vector<Index>{8, 8}), Error) << text;
  }
}

TEST(DistributionText, ShapesArePositiveExtents) {
  EXPECT_EQ(parse_shape("120000"), std::vector<Index>{120000});
  EXPECT_EQ(parse_shape("8x9 x 10"), (std::vector<Index>{8, 9, 10}));
  for (const char* text : {"", "x", "8x", "x8", "0", "8x0", "-1", "8*8", "8.5"}) {
    EXPECT_THROW((void)parse_shape(text), Error) << text;
  }
}

TEST(DistributionText, RefusesWhatItIsNot) {
  for (const char* text : {"", "CYCLIC", "CYCLIC(0) onto 4", "CYCLIC(-1) onto 4", "CYCLIC(6 onto 4",
                           "CYCLIC(6) onto 0", "CYCLIC(6) onto", "BLOCK onto 4x", "BLOCK(3) onto 4",
                           "onto 4", "* onto 4", "CYCLIC(99999999999999999999) onto 2"}) {
    EXPECT_THROW((void)parse_distribution(text, 10), Error) << text;
  }
  EXPECT_THROW((void)parse_distribution("BLOCK onto 4", 0), Error);
}

}  // namespace
}  // namespace shunt
