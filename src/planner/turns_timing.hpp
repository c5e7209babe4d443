// Times several ways to do the same, in turn.
#pragma once

#include <functional>
#include <vector>

#include "exchange/planned_exchange.hpp"
#include "exchange/yard_state.hpp"

namespace shunt {

/// How often each way is run, and which of the rounds counts.
struct Rounds {
  int warm_ups;
  int rounds;
  double quantile = 0.5;  ///< of the rounds by their times: the median
};

/// Runs the plan once. Refers to it.
[[nodiscard]] std::function<void()> execution_of(PlannedExchange& plan);

/// Seconds of the slowest rank in the round that counts, of each of `ways`. Collective: all ranks
/// run all of them, round after round, in an order that changes; they get the same times.
[[nodiscard]] std::vector<double> time_in_turn(const YardState& yard,
                                               const std::vector<std::function<void()>>& ways,
                                               const Rounds& rounds);

}  // namespace shunt
