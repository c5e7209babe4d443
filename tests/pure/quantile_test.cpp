#include "lab/statistics/quantile.hpp"

#include <gtest/gtest.h>

#include "model/median.hpp"

namespace shunt {
namespace {

TEST(Quantile, MedianIsTheMiddleInAnyOrder) {
  EXPECT_EQ(median_of({}), 0);
  EXPECT_EQ(median_of({7}), 7);
  EXPECT_EQ(median_of({9, 1, 5}), 5);
  EXPECT_EQ(median_of({8, 1, 2, 100}), 5);
}

TEST(Quantile, HasItsShareOfTheValuesBelowIt) {
  EXPECT_EQ(quantile_of({7}, 0.1), 7);
  EXPECT_EQ(quantile_of({4, 2, 3, 1, 5, 10, 9, 8, 7, 6}, 0.1), 2);
  EXPECT_EQ(quantile_of({4, 2, 3, 1, 5, 10, 9, 8, 7, 6}, 0.9), 10);
}

}  // namespace
}  // namespace shunt
