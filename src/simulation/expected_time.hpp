// How long an exchange is expected to take on a machine whose constants were measured.
#pragma once

#include <span>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "model/machine.hpp"
#include "model/profile.hpp"
#include "model/sources.hpp"
#include "model/traffic.hpp"

namespace shunt {

/// What the ranks can agree on about a traffic with one or two reductions, in bytes.
struct TrafficSummary {
  TrafficBound bound;
  Rank most_messages = 0;  ///< blocks that are not empty: the most that one rank sends or receives
  Bytes total = 0;         ///< what all ranks send together
};

/// Returns the summary of the most traffic that there can be within the bound.
[[nodiscard]] TrafficSummary any_traffic(const TrafficBound& bound, Rank ranks);

[[nodiscard]] TrafficSummary summary_of(const Traffic& traffic, Bytes element);

/// What one stage asks of the machine. A number for ranks is that of the busiest rank, or what a
/// node's ranks have in all for each of their processors, if that is more. What a rank sends and
/// what it receives count half each.
struct StageWork {
  double pieces = 0;  ///< of streams, where there are several stages
  double copied = 0;  ///< bytes of them
  double inside_messages = 0;
  double inside_bytes = 0;  ///< with half of what ranks keep, where there is one stage
  double outside_messages = 0;
  double outside_bytes = 0;
  double way_out_bytes = 0;  ///< bytes that leave one node, or reach it
};

/// Returns the work of every stage for a traffic of which only the summary is known: that of equal
/// blocks with the largest load on every rank. (The worst traffic with that summary, which Liu's
/// bounds assume, would take far more than most skewed ones.) `processors` are those for the ranks
/// of a node. Costs O(ranks) for each stage.
[[nodiscard]] std::vector<StageWork> work_within(const Algorithm& algorithm, const Machine& machine,
                                                 int processors, const TrafficSummary& traffic,
                                                 CallForm form);

/// Returns the work of every stage for a traffic whose blocks are followed from stage to stage.
/// Costs O(blocks) for each stage. Throws Error(argument) where these are too many, or the
/// algorithm does not carry one of them.
[[nodiscard]] std::vector<StageWork> work_of(const Algorithm& algorithm, const Machine& machine,
                                             int processors, const Traffic& traffic, Bytes element,
                                             CallForm form);

/// Returns how often each of kCostKeys is charged for that work, in their order.
[[nodiscard]] std::vector<double> amounts_of(std::span<const StageWork> work, double crowd);

/// Returns the seconds of the slowest rank, by Liu's flat model (2002, Section 2.1), with nodes:
/// their ranks share processors and a link. `algorithm` is made for `machine`, or for any of its
/// ranks.
[[nodiscard]] double expected_seconds(const Profile& profile, const Algorithm& algorithm,
                                      const Machine& machine, const TrafficSummary& traffic,
                                      CallForm form);
[[nodiscard]] double expected_seconds(const Profile& profile, const Algorithm& algorithm,
                                      const Machine& machine, const Traffic& traffic, Bytes element,
                                      CallForm form);

/// Returns the seconds of MPI_Alltoallv: those of blocks of one length that keep the busiest rank,
/// or node, as busy.
[[nodiscard]] double expected_native_seconds(const Profile& profile, const Machine& machine,
                                             const TrafficSummary& traffic);

/// Returns the seconds of MPI_Allgatherv.
[[nodiscard]] double expected_native_seconds(const Profile& profile, const Machine& machine,
                                             const Sources& sources);

}  // namespace shunt
