// Finds out which of several plans is the fastest by running them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exchange/planned_exchange.hpp"
#include "model/wisdom.hpp"

namespace shunt {

/// The largest load, in bytes of one rank, up to which candidates are tried.
inline constexpr Bytes kLargestTrial = Bytes{16} << 20;

/// The largest buffers of a rank with which what goes round a torus is tried. They are several
/// times its load: 4.2 times with equal blocks on 16 x 16 ranks, where 4 MiB take 0.6 of A1's time
/// so.
inline constexpr Bytes kLargestTorusBuffers = Bytes{64} << 20;

/// Up to which, in the same bytes, so many executions follow each other in a turn. After a barrier
/// short ones take mostly what the ranks leave that apart by, and those that keep everybody waiting
/// seem as fast as others. With a barrier before each, plans of 64 bytes from one of 16 ranks on
/// four hosts took 2.6 times as long as MPI's own, again and again, with 10 in a row as long, with
/// 3 half as long again at times.
inline constexpr Bytes kShortTrial = Bytes{64} << 10;
inline constexpr int kManyInARow = 10;

/// A candidate that would take more memory than the limit, on the rank where it takes most.
struct LeftOut {
  std::string algorithm;
  Bytes memory;
};

/// A choice, and where it comes from.
struct PlanChoice {
  std::string algorithm;      ///< with options that differ from the caller's (`read_way`)
  std::vector<Trial> trials;  ///< now, or when it was found; empty: chosen by prediction alone
  Effort effort = Effort::estimate;
  std::vector<std::string> likely = {};  ///< where prediction chose: from these, the best first
  std::optional<std::int64_t> remembered = {};  ///< since when: `WisdomEntry::found`; none: now
  std::vector<LeftOut> left_out = {};           ///< by a limit of memory
};

/// What the one that was chosen, which was tried, took.
[[nodiscard]] double seconds_of(const PlanChoice& choice);

/// The most plans that `race_plans` keeps at the same time, as they have buffers.
inline constexpr std::size_t kRacedTogether = 6;

/// What trials are made with.
struct TrialGround {
  /// Makes the plan of a way (`way_text`). Collective.
  std::function<std::unique_ptr<PlannedExchange>(const std::string& way)> make;
  /// What the plans send: written anew before each call, as by programs.
  std::span<std::byte> sent;
  /// So many executions follow each other without a barrier, and their mean counts; 0: each has a
  /// barrier before it, and the last of a few counts.
  int in_a_row = 0;
};

/// Nothing is taken in the place of this for a gain that may be chance: MPI's own, "native". None,
/// an empty text, where single copies are `preferred`: they never took much longer than MPI's own,
/// which takes up to twice as long from one minute to the next.
[[nodiscard]] std::string fallback_of(const std::string& preferred);

/// What a candidate took in each round, in which all had a turn.
struct TrialRounds {
  std::string algorithm;
  std::vector<double> seconds;
};

/// The one with the least median, if that is clear: if it is less than that of the `preferred` one
/// by a tenth; or by 3 % and in six of seven rounds. Otherwise that. But the one to fall back on
/// where what these rules choose is not faster by 3 % than it. They are in any order.
[[nodiscard]] std::string winner(const std::vector<TrialRounds>& trials,
                                 const std::string& preferred);

/// Collective: makes a plan for each candidate and runs them a few times in turn; short ones that
/// may be the fastest more often. All ranks get the same choice, from two or
/// three reductions of the times.
[[nodiscard]] PlanChoice try_plans(const YardState& yard,
                                   const std::vector<std::string>& candidates,
                                   const std::string& preferred, const TrialGround& ground);

/// The same for many candidates, the likeliest first: a few at a time, where the winner stays for
/// the next ones, and what is clearly slower in its first rounds leaves. No more are tried when the
/// exchanges took two seconds. Two reductions for each few of them.
[[nodiscard]] PlanChoice race_plans(const YardState& yard,
                                    const std::vector<std::string>& candidates,
                                    const std::string& preferred, const TrialGround& ground);

}  // namespace shunt
