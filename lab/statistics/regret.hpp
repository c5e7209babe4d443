// What a choice among several ways costs, from rounds in which all of them took turns.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace shunt::bench {

/// What one way took in each round, in any unit.
using Rounds = std::vector<double>;

/// Whether a ratio is a finite number above 0; of times that are 0 it may be none.
[[nodiscard]] bool is_ratio(double ratio);

/// `over` / `under`, where 0 / 0 is 1.
[[nodiscard]] double ratio_of(double over, double under);

/// The median of the ratios in each round: what slows down a whole round slows down both.
[[nodiscard]] double paired_ratio(const Rounds& over, const Rounds& under);

/// Whether that median is known to within kKnownWithin: 19 times in 20 what the ratios are drawn
/// from has its median between two of them that are no further apart. Never of fewer than six
/// rounds.
inline constexpr double kKnownWithin = 0.04;
[[nodiscard]] bool is_known(const Rounds& over, const Rounds& under);

/// Which of the ways, at least one, has the least median.
[[nodiscard]] std::size_t fastest(std::span<const Rounds> ways);

/// Whether a way took at most a quarter longer than the fastest of these, of which it may be one:
/// what took longer in some rounds is not the fastest in more of them.
[[nodiscard]] bool may_be_fastest(const Rounds& way, std::span<const Rounds> ways);

/// Returns the time of the way that was chosen over that of the fastest of `ways`, by paired
/// ratios. The least of many medians is less than what the fastest way takes, since luck is in it.
/// So each round is compared with the way that was the fastest in the other rounds, of those with
/// even or odd numbers; then luck does not help, and a choice that is as good as any has a regret
/// of 1. A single round is compared with the fastest in it. All have the same number of rounds.
[[nodiscard]] double regret_of(const Rounds& chosen, std::span<const Rounds> ways);

/// Returns the geometric mean of those `ratios` that are ratios (`is_ratio`); not a number where
/// there is none.
[[nodiscard]] double geometric_mean(std::span<const double> ratios);

}  // namespace shunt::bench
