// Finds out which of several plans is the fastest by running them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/planned_exchange.hpp"
#include "model/configuration.hpp"

namespace shunt {

/// The load, in bytes of one rank, up to which kManyInARow executions follow each other in a turn,
/// without a barrier between them. After a barrier a short execution takes mostly the time by which
/// the ranks leave the barrier apart, and an execution that keeps all ranks waiting seems as fast
/// as others. What trials with a barrier before each execution chose for 64 bytes from one of 16
/// ranks on four hosts took 2.6 times as long as MPI's own; what 10 in a row chose took as long.
inline constexpr Bytes kShortTrial = Bytes{64} << 10;
inline constexpr int kManyInARow = 10;

/// A candidate that would take more memory than the limit, on the rank where it takes most.
struct LeftOut {
  Configuration configuration;
  Bytes memory;
};

/// A candidate that was tried.
struct Tried {
  Configuration configuration;
  double seconds;  ///< that it took the slowest rank
};

/// A choice, and where it comes from.
struct PlanChoice {
  Configuration configuration;
  std::vector<Tried> trials;  ///< now, or when it was found; empty: chosen by prediction alone
  Effort effort = Effort::estimate;
  std::vector<Configuration> likely = {};  ///< where prediction chose: from these, the best first
  std::optional<std::int64_t> remembered = {};  ///< since when: `WisdomEntry::found`; none: now
  std::vector<LeftOut> left_out = {};           ///< by a limit of memory
};

/// Returns the seconds that the chosen candidate, which was tried, took.
[[nodiscard]] double seconds_of(const PlanChoice& choice);

/// The most plans that `race_plans` keeps at the same time, as they have buffers.
inline constexpr std::size_t kRacedTogether = 6;

/// What trials are made with.
struct TrialGround {
  /// Makes the plan of a configuration. Collective.
  std::function<std::unique_ptr<PlannedExchange>(const Configuration& configuration)> make;
  /// The memory that the plans send: written again before each call, as programs do.
  std::span<std::byte> sent;
  /// How many executions follow each other without a barrier; their mean counts. 0: each has a
  /// barrier before it, and the last of a few counts.
  int in_a_row = 0;
};

/// Whether MPI's own collective is taken unless another candidate is faster by more than may be
/// chance. Not where single copies are `preferred`: they never took much longer than MPI's own,
/// whose times vary up to twofold from one minute to the next.
[[nodiscard]] bool falls_back(const Configuration& preferred);

/// What a candidate took in each round, in which all had a turn.
struct TrialRounds {
  Configuration configuration;
  std::vector<double> seconds;
};

/// Returns the candidate with the least median, if its median is less than that of `preferred` by a
/// tenth, or by 3 % and in six of seven rounds; otherwise `preferred`. But returns MPI's own, where
/// one `falls_back`, if what these rules choose is not faster than it by 3 %. `trials` are in any
/// order.
[[nodiscard]] Configuration winner(const std::vector<TrialRounds>& trials,
                                   const Configuration& preferred);

/// Makes a plan for each candidate, runs them a few times in turn, short ones that may be the
/// fastest more often, and returns the choice, which is equal on all ranks. Collective, with two or
/// three reductions of the times.
[[nodiscard]] PlanChoice try_plans(const Context& context,
                                   const std::vector<Configuration>& candidates,
                                   const Configuration& preferred, const TrialGround& ground);

/// Tries many candidates as `try_plans` does, the likeliest first and a few at a time: the winner
/// stays for the next ones, and candidates that are clearly slower in their first rounds leave.
/// Stops when the exchanges took two seconds. Collective, with two reductions for each few of them.
[[nodiscard]] PlanChoice race_plans(const Context& context,
                                    const std::vector<Configuration>& candidates,
                                    const Configuration& preferred, const TrialGround& ground);

}  // namespace shunt
