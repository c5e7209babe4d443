#include "lab/statistics/regret.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "model/median.hpp"

namespace shunt::bench {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST(Regret, NothingOverNothingIsOne) {
  EXPECT_EQ(ratio_of(0, 0), 1);
  EXPECT_EQ(ratio_of(3, 2), 1.5);
  EXPECT_EQ(ratio_of(0, 2), 0);
  EXPECT_EQ(ratio_of(2, 0), kInfinite);
}

TEST(Regret, OnlyFinitePositiveNumbersAreRatios) {
  EXPECT_TRUE(is_ratio(0.5));
  EXPECT_FALSE(is_ratio(0));
  EXPECT_FALSE(is_ratio(kInfinite));
  EXPECT_FALSE(is_ratio(std::nan("")));
}

TEST(Regret, PairsAreOfOneRound) {
  // Rounds differ by a factor of 100; in all but one the first takes twice as long.
  EXPECT_EQ(paired_ratio({2, 200, 30, 20}, {1, 100, 1, 10}), 2);
}

TEST(Regret, TheFastestHasTheLeastMedian) {
  EXPECT_EQ(fastest(std::vector<Rounds>{{5, 5, 5}, {1, 9, 4}, {1, 8, 8}}), 1U);
}

TEST(Regret, OneRoundIsJudgedByTheFastestInIt) {
  EXPECT_EQ(regret_of({6}, std::vector<Rounds>{{4}, {3}, {9}}), 2);
}

TEST(Regret, EachHalfIsJudgedByTheOther) {
  // In the even rounds the first way is the fastest, in the odd ones the second. The even rounds
  // are judged beside the second: 12/4, 12/6; the odd ones beside the first: 12/2, 12/3.
  const std::vector<Rounds> ways{{1, 2, 1, 3}, {4, 1, 6, 1}};
  EXPECT_DOUBLE_EQ(regret_of({12, 12, 12, 12}, ways), 3.5);
}

TEST(Regret, OfTheFastestItselfIsOne) {
  const std::vector<Rounds> ways{{5, 6, 7, 8, 9}, {1, 2, 3, 4, 5}};
  EXPECT_EQ(regret_of(ways[1], ways), 1);
}

TEST(Regret, OfTwiceTheFastestIsTwoWhateverSlowsRoundsDown) {
  const std::vector<Rounds> ways{{10, 1000, 20, 10}, {11, 1100, 22, 11}};
  EXPECT_EQ(regret_of({20, 2000, 40, 20}, ways), 2);
}

TEST(Regret, LuckOfManyWaysDoesNotCount) {
  // All of 20 ways take the same but for noise of a third, and so does the choice.
  std::mt19937 random(7);
  const auto rounds_of = [&random] {
    std::uniform_real_distribution<double> noise(2, 4);
    Rounds rounds(20);
    for (double& round : rounds) round = noise(random);
    return rounds;
  };
  std::vector<double> fair;
  std::vector<double> plain;
  for (int cell = 0; cell < 200; ++cell) {
    const Rounds chosen = rounds_of();
    std::vector<Rounds> ways;
    for (int way = 0; way < 20; ++way) ways.push_back(rounds_of());
    fair.push_back(regret_of(chosen, ways));
    plain.push_back(median_of(chosen) / median_of(ways[fastest(ways)]));
  }
  EXPECT_NEAR(geometric_mean(fair), 1, 0.015);
  EXPECT_GT(geometric_mean(plain), 1.1);
}

TEST(Regret, TimesOfZeroAreNoRegret) {
  EXPECT_EQ(regret_of({0, 0, 0, 0}, std::vector<Rounds>{{0, 0, 0, 0}, {1, 1, 1, 1}}), 1);
  EXPECT_FALSE(is_ratio(regret_of({2, 2, 2, 2}, std::vector<Rounds>{{0, 0, 0, 0}})));
}

TEST(Regret, WhatTookAQuarterLongerMayBeTheFastest) {
  const std::vector<Rounds> ways{{4, 8, 4, 4}, {9, 9, 9, 9}};
  EXPECT_TRUE(may_be_fastest(ways[0], ways));
  EXPECT_FALSE(may_be_fastest(ways[1], ways));
  // Beside the fastest in each round, whatever slows that down.
  EXPECT_TRUE(may_be_fastest({5, 10, 5, 5}, ways));
  EXPECT_FALSE(may_be_fastest({5.1, 10.2, 5.1, 4}, ways));
}

/// Ratios of 1, of which so many at each end are others.
Rounds with_others(std::size_t rounds, std::size_t others) {
  Rounds over(rounds, 1.0);
  for (std::size_t i = 0; i < others; ++i) {
    over[i] = 0.5;
    over[rounds - 1 - i] = 2;
  }
  return over;
}

TEST(Regret, IsKnownWhereFewRoundsAreOthers) {
  // 19 times of 20 a median of 12 lies between the third and the tenth, one of 60 between the 22nd
  // and the 39th.
  const Rounds twelve(12, 1.0);
  EXPECT_TRUE(is_known(with_others(12, 2), twelve));
  EXPECT_FALSE(is_known(with_others(12, 3), twelve));
  const Rounds sixty(60, 1.0);
  EXPECT_TRUE(is_known(with_others(60, 21), sixty));
  EXPECT_FALSE(is_known(with_others(60, 22), sixty));
  const Rounds many(5000, 1.0);
  EXPECT_TRUE(is_known(with_others(5000, 2400), many));
  EXPECT_FALSE(is_known(with_others(5000, 2450), many));
}

TEST(Regret, IsKnownOnlyOfSixRoundsOrMore) {
  for (const std::size_t rounds : {0U, 1U, 5U}) {
    EXPECT_FALSE(is_known(Rounds(rounds, 1.0), Rounds(rounds, 1.0))) << rounds;
  }
  EXPECT_TRUE(is_known(Rounds(6, 1.0), Rounds(6, 1.0)));
}

TEST(Regret, IsKnownBeforeTheTimesAre) {
  // Rounds differ by a factor of 100, the ratio of their times hardly.
  const Rounds under{1, 100, 3, 70, 2, 9, 55};
  Rounds over;
  for (const double time : under) over.push_back(time * (time < 50 ? 1.98 : 2.02));
  EXPECT_TRUE(is_known(over, under));
  over.front() = 2.3;
  EXPECT_FALSE(is_known(over, under));
}

TEST(Regret, GeometricMeanLeavesOutWhatIsNoRatio) {
  EXPECT_DOUBLE_EQ(geometric_mean(std::vector<double>{0.5, 8}), 2);
  EXPECT_DOUBLE_EQ(geometric_mean(std::vector<double>{0.5, 0, 8, kInfinite, std::nan("")}), 2);
  EXPECT_TRUE(std::isnan(geometric_mean(std::vector<double>{})));
  EXPECT_TRUE(std::isnan(geometric_mean(std::vector<double>{0, kInfinite})));
}

}  // namespace
}  // namespace shunt::bench
