// Times several configurations in turn.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "context/context.hpp"
#include "engine/planned_exchange.hpp"

namespace shunt {

/// How often each configuration is run; the times of the first rounds are ignored.
struct Rounds {
  int warm_ups;
  int rounds;
  int calls = 1;  ///< of a turn; the last one counts, with caches as the others left them
  std::span<std::byte> sent = {};  ///< written again before each call
  /// Whether the ranks have a barrier before the first call of a turn only, and the mean of all
  /// calls counts, with the time to write `sent` between them.
  bool in_a_row = false;
};

/// Runs the plan once. Refers to it.
[[nodiscard]] std::function<void()> execution_of(PlannedExchange& plan);

/// Seconds of the slowest rank in each round, of each of `ways`. Collective: all ranks run all of
/// them, round after round, in an order that changes; they get the same times.
[[nodiscard]] std::vector<std::vector<double>> time_interleaved(
    const Context& context, const std::vector<std::function<void()>>& ways, const Rounds& rounds);

}  // namespace shunt
