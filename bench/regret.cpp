#include "regret.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/quantile.hpp"

namespace shunt::bench {

namespace {

/// The rounds with even numbers, or the others.
Rounds half_of(const Rounds& rounds, std::size_t odd) {
  Rounds half;
  for (std::size_t round = odd; round < rounds.size(); round += 2) half.push_back(rounds[round]);
  return half;
}

std::vector<Rounds> halves_of(std::span<const Rounds> ways, std::size_t odd) {
  std::vector<Rounds> halves;
  for (const Rounds& rounds : ways) halves.push_back(half_of(rounds, odd));
  return halves;
}

}  // namespace

bool is_ratio(double ratio) { return std::isfinite(ratio) && ratio > 0; }

double ratio_of(double over, double under) { return over == under ? 1 : over / under; }

double paired_ratio(const Rounds& over, const Rounds& under) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < over.size(); ++round) {
    ratios.push_back(ratio_of(over[round], under[round]));
  }
  return median_of(std::move(ratios));
}

std::size_t fastest(std::span<const Rounds> ways) {
  const auto found = std::ranges::min_element(ways, {}, median_of);
  return static_cast<std::size_t>(found - ways.begin());
}

double regret_of(const Rounds& chosen, std::span<const Rounds> ways) {
  if (chosen.size() == 1) return paired_ratio(chosen, ways[fastest(ways)]);
  Rounds fastest_elsewhere(chosen.size());
  for (const std::size_t odd : {std::size_t{0}, std::size_t{1}}) {
    const Rounds& best = ways[fastest(halves_of(ways, 1 - odd))];
    for (std::size_t round = odd; round < best.size(); round += 2) {
      fastest_elsewhere[round] = best[round];
    }
  }
  return paired_ratio(chosen, fastest_elsewhere);
}

double geometric_mean(std::span<const double> ratios) {
  double logarithms = 0;
  int count = 0;
  for (const double ratio : ratios) {
    if (!is_ratio(ratio)) continue;
    logarithms += std::log(ratio);
    ++count;
  }
  return count > 0 ? std::exp(logarithms / count) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace shunt::bench
