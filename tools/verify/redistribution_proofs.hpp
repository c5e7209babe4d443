// Proofs of the schedules of long arrays, for `shunt verify redistribution`.
#pragma once

#include <vector>

#include "lab/proof/redistribution_checker.hpp"
#include "lab/schedules/guo_grid_schedule.hpp"

namespace shunt {

/// Proves Guo's Algorithm 1, from CYCLIC(beta) to CYCLIC, with no more senders than receivers.
[[nodiscard]] RedistributionProof prove_algorithm_1(Rank senders, Rank receivers, Index beta);

/// Proves Guo's Algorithm 2 in two dimensions.
[[nodiscard]] RedistributionProof prove_algorithm_2(const GuoGridSchedule::Axis& rows,
                                                    const GuoGridSchedule::Axis& columns);

/// How many steps there would be if each dimension had its own: the product of their numbers.
[[nodiscard]] Bytes steps_of_dimensions(const std::vector<RedistributionAxis>& axes);

/// Proves BlockCyclicSchedule.
[[nodiscard]] RedistributionProof prove_block_cyclic(const Dealing& from, const Dealing& to);

/// What steps cost over the least, by ways to choose them.
struct StepCosts {
  double shifts = 0;  ///< in step k from each sender to the receiver k places further
  double fewest = 0;  ///< BlockCyclicSchedule
  double sorted = 0;  ///< LengthSchedule, by LengthRule
  double matched = 0;
};

/// Proves LengthSchedule by both rules, for an array of a whole period in which not all places
/// meet; adds what steps cost to `costs`.
[[nodiscard]] std::vector<RedistributionProof> prove_lengths(const Dealing& from, const Dealing& to,
                                                             StepCosts& costs);

}  // namespace shunt
