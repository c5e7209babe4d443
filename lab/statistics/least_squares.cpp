#include "lab/statistics/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shunt {

namespace {

double sum_of(const Observation& observation, const std::vector<double>& coefficients) {
  return std::inner_product(coefficients.begin(), coefficients.end(), observation.amounts.begin(),
                            0.0);
}

/// What a sum should be, and the unit in which its error is counted.
struct Aim {
  double target;
  double unit;
};

/// Moves `fitted`, none negative, to the least sum of squares of (sum - target) / unit, by
/// coordinate descent: that is convex, and along each coordinate a parabola, whose least allowed
/// place is known. With a dozen coefficients the sweeps take milliseconds.
void descend(const std::vector<Observation>& observations, const std::vector<Aim>& aims,
             std::vector<double>& fitted) {
  std::vector<double> squares(fitted.size(), 0);
  std::vector<double> missing;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    for (std::size_t k = 0; k < fitted.size(); ++k) {
      const double amount = observations[i].amounts[k] / aims[i].unit;
      squares[k] += amount * amount;
    }
    missing.push_back((aims[i].target - sum_of(observations[i], fitted)) / aims[i].unit);
  }
  constexpr int kMostSweeps = 2000;
  constexpr double kSettled = 1e-9;
  for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
    double moved = 0;
    for (std::size_t k = 0; k < fitted.size(); ++k) {
      if (squares[k] == 0) continue;
      double gain = 0;
      for (std::size_t i = 0; i < missing.size(); ++i) {
        gain += observations[i].amounts[k] / aims[i].unit * missing[i];
      }
      const double change = std::max(-fitted[k], gain / squares[k]);
      fitted[k] += change;
      for (std::size_t i = 0; i < missing.size(); ++i) {
        missing[i] -= change * observations[i].amounts[k] / aims[i].unit;
      }
      moved = std::max(moved, std::abs(change) * std::sqrt(squares[k]));
    }
    if (moved < kSettled) break;
  }
}

/// The step from `sum` towards `measured` on a scale of logarithms, where the sum is a straight
/// line near what it is. Errors beyond `kSmall` count by their size instead of its square.
Aim next_aim(double sum, double measured) {
  constexpr double kSmall = 0.1;
  constexpr double kLongestStep = 0.7;
  const double step = std::clamp(std::log(measured / sum), -kLongestStep, kLongestStep);
  return {sum * (1 + step), sum * std::sqrt(std::max(1.0, std::abs(step) / kSmall))};
}

}  // namespace

std::vector<double> fit_relative(const std::vector<Observation>& observations) {
  if (observations.empty()) return {};
  std::vector<double> fitted(observations.front().amounts.size(), 0);
  std::vector<Aim> aims;
  for (const Observation& row : observations) aims.push_back({row.measured, row.measured});
  constexpr int kRounds = 100;
  for (int round = 0; round < kRounds; ++round) {
    descend(observations, aims, fitted);
    for (std::size_t i = 0; i < observations.size(); ++i) {
      // A sum of nothing has no logarithm.
      constexpr double kLeast = 1e-3;
      const double measured = observations[i].measured;
      aims[i] = next_aim(std::max(sum_of(observations[i], fitted), kLeast * measured), measured);
    }
  }
  return fitted;
}

}  // namespace shunt
