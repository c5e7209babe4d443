#include "lab/statistics/regret.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "model/median.hpp"

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

std::vector<double> ratios_of(const Rounds& over, const Rounds& under) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < over.size(); ++round) {
    ratios.push_back(ratio_of(over[round], under[round]));
  }
  return ratios;
}

/// How many of so many values, the least and the most, may be left out, so that 19 times in 20 the
/// median of what they are drawn from lies between the least and the most of those that stay.
/// Each is below that median as often as not: a binomial distribution. None may be: nothing.
std::optional<std::size_t> spared_at_ends(std::size_t values) {
  constexpr double kAtEachEnd = 0.025;
  const auto count = static_cast<double>(values);
  const auto probability_below = [count](double below) {
    return std::exp(std::lgamma(count + 1) - std::lgamma(below + 1) -
                    std::lgamma(count - below + 1) - count * std::numbers::ln2);
  };
  std::size_t spared = 0;
  for (double all = probability_below(0); all <= kAtEachEnd;
       all += probability_below(static_cast<double>(spared))) {
    ++spared;
  }
  return spared > 0 ? std::optional(spared - 1) : std::nullopt;
}

}  // namespace

bool is_ratio(double ratio) { return std::isfinite(ratio) && ratio > 0; }

double ratio_of(double over, double under) { return over == under ? 1 : over / under; }

double paired_ratio(const Rounds& over, const Rounds& under) {
  return median_of(ratios_of(over, under));
}

bool is_known(const Rounds& over, const Rounds& under) {
  const std::optional<std::size_t> spared = spared_at_ends(over.size());
  if (!spared) return false;
  std::vector<double> ratios = ratios_of(over, under);
  std::ranges::sort(ratios);
  const double least = ratios[*spared];
  const double most = ratios[ratios.size() - 1 - *spared];
  return most - least <= 2 * kKnownWithin * median_of(std::move(ratios));
}

std::size_t fastest(std::span<const Rounds> ways) {
  const auto found = std::ranges::min_element(ways, {}, median_of);
  return static_cast<std::size_t>(found - ways.begin());
}

bool may_be_fastest(const Rounds& way, std::span<const Rounds> ways) {
  constexpr double kLonger = 1.25;
  return paired_ratio(way, ways[fastest(ways)]) <= kLonger;
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
