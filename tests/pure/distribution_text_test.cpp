#include "model/distribution_text.hpp"

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
