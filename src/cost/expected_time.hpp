// How long an exchange is expected to take on a machine whose constants were measured.
#pragma once

#include <span>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "cost/stage_work.hpp"
#include "model/machine.hpp"
#include "model/profile.hpp"

namespace shunt {

/// What the ranks can agree on about a traffic with one or two reductions, in bytes.
struct TrafficSummary {
  TrafficBound bound;
  Rank most_messages = 0;  ///< blocks that are not empty: the most that one rank sends or receives
  Bytes total = 0;         ///< what all ranks send together
};

/// Returns the summary of the most traffic that there can be within the bound.
[[nodiscard]] TrafficSummary any_traffic(const TrafficBound& bound, Rank ranks);

/// Returns the work of every stage for a traffic of which only the summary is known: that of equal
/// blocks with the largest load on every rank. (The worst traffic with that summary, which Liu's
/// bounds assume, would take far more than most skewed ones.) `processors` are those for the ranks
/// of a node. Costs O(ranks) for each stage.
[[nodiscard]] std::vector<StageWork> work_within(const Algorithm& algorithm, const Machine& machine,
                                                 int processors, const TrafficSummary& traffic,
                                                 CallForm form);

/// Returns the ranks of the largest node for each processor that it has for them, at least 1.
[[nodiscard]] double crowd_of(const Machine& machine, int processors);

/// Returns how often each of kCostKeys is charged for that work, in their order.
[[nodiscard]] std::vector<double> amounts_of(std::span<const StageWork> work, double crowd);

/// Returns the seconds of the slowest rank, by Liu's flat model (2002, Section 2.1), with nodes:
/// their ranks share processors and a link. `algorithm` is made for `machine`, or for any of its
/// ranks.
[[nodiscard]] double expected_seconds(const Profile& profile, const Algorithm& algorithm,
                                      const Machine& machine, const TrafficSummary& traffic,
                                      CallForm form);

/// Returns the seconds of the slowest rank where the stages ask for this work.
[[nodiscard]] double expected_seconds(const Profile& profile, std::span<const StageWork> work,
                                      const Machine& machine, CallForm form);

}  // namespace shunt
