#include "lab/statistics/least_squares.hpp"

#include <random>

#include <gtest/gtest.h>

namespace shunt {
namespace {

TEST(LeastSquares, FindCoefficientsOfAnySize) {
  const std::vector<double> known{3e-6, 2e-10, 0, 5e-3};
  std::mt19937 random(1);
  std::uniform_real_distribution<double> between(0.1, 1);
  std::vector<Observation> observations;
  for (int k = 0; k < 40; ++k) {
    const std::vector<double> amounts{between(random), 1e6 * between(random), between(random),
                                      1e-4 * between(random)};
    double sum = 0;
    for (std::size_t i = 0; i < known.size(); ++i) sum += known[i] * amounts[i];
    observations.push_back({amounts, sum});
  }
  const std::vector<double> fitted = fit_relative(observations);
  ASSERT_EQ(fitted.size(), known.size());
  EXPECT_NEAR(fitted[0], known[0], 1e-3 * known[0]);
  EXPECT_NEAR(fitted[1], known[1], 1e-3 * known[1]);
  EXPECT_NEAR(fitted[2], 0, 1e-8);
  EXPECT_NEAR(fitted[3], known[3], 1e-2 * known[3]);
}

TEST(LeastSquares, AreNeverNegativeAndNothingComesOfNothing) {
  // Exactly met by 2 and -1.
  const std::vector<double> fitted =
      fit_relative({{{1, 1, 0}, 1}, {{2, 1, 0}, 3}, {{3, 1, 0}, 5}, {{1, 0, 0}, 2}});
  EXPECT_GT(fitted[0], 0);
  EXPECT_EQ(fitted[1], 0);
  EXPECT_EQ(fitted[2], 0);
  EXPECT_TRUE(fit_relative({}).empty());
}

TEST(LeastSquares, WeighFactorsAlikeBothWays) {
  // A tenth is as wrong as ten times as much.
  EXPECT_NEAR(fit_relative({{{1}, 1}, {{1}, 10}, {{1}, 100}}).front(), 10, 0.1);
  // Two short times count more than a long one, and two long ones more than a short one.
  EXPECT_NEAR(fit_relative({{{1}, 1e-6}, {{2}, 2e-6}, {{1e6}, 4}}).front(), 1e-6, 1e-7);
  EXPECT_NEAR(fit_relative({{{1}, 1e-6}, {{2e6}, 8}, {{1e6}, 4}}).front(), 4e-6, 4e-7);
}

TEST(LeastSquares, AreNotLedAstrayByOneBadTime) {
  std::vector<Observation> observations;
  for (int k = 1; k <= 9; ++k) observations.push_back({{1.0 * k}, 2.0 * k});
  observations.push_back({{5}, 1e4});
  EXPECT_NEAR(fit_relative(observations).front(), 2, 0.1);
}

}  // namespace
}  // namespace shunt
