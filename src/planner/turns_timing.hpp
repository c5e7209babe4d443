// Times several ways to do the same, in turn.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "exchange/planned_exchange.hpp"
#include "exchange/yard_state.hpp"

namespace shunt {

/// How often each way is run; what it takes in the first rounds does not count.
struct Rounds {
  int warm_ups;
  int rounds;
  int calls = 1;  ///< of a turn: the last one counts, which finds the caches as its like leave them
  std::span<std::byte> sent = {};  ///< written anew before each call
  /// Instead: the ranks meet before the first call of a turn only, and the mean of all counts, with
  /// what it takes to write `sent` between them.
  bool in_a_row = false;
};

/// Runs the plan once. Refers to it.
[[nodiscard]] std::function<void()> execution_of(PlannedExchange& plan);

/// Seconds of the slowest rank in each round, of each of `ways`. Collective: all ranks run all of
/// them, round after round, in an order that changes; they get the same times.
[[nodiscard]] std::vector<std::vector<double>> time_in_turn(
    const YardState& yard, const std::vector<std::function<void()>>& ways, const Rounds& rounds);

}  // namespace shunt
