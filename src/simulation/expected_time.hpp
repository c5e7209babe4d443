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

/// What the ranks can agree on about a traffic with a reduction or two, in bytes.
struct TrafficSummary {
  TrafficBound bound;
  Rank most_messages = 0;  ///< blocks that are not empty: the most that one rank sends or receives
  Bytes total = 0;         ///< that all ranks send
};

/// The most that there can be within the bound.
[[nodiscard]] TrafficSummary any_traffic(const TrafficBound& bound, Rank ranks);

[[nodiscard]] TrafficSummary summary_of(const Traffic& traffic, Bytes element);

/// What one stage asks of the machine. A number for ranks is that of the busiest rank, or what a
/// node's ranks have in all for each of their processors, if that is more. What a rank sends and
/// what it receives count half each.
struct StageWork {
  double pieces = 0;  ///< of streams, where there are several stages
  double copied = 0;  ///< bytes, likewise
  double inside_messages = 0;
  double inside_bytes = 0;  ///< with half of what ranks keep, where there is one stage
  double outside_messages = 0;
  double outside_bytes = 0;
  double way_out_bytes = 0;  ///< that leave one node, or reach it
};

/// The work of every stage for a traffic of which no more is known than its summary: as one of
/// equal blocks would have it that has the largest load everywhere. (What the worst traffic of that
/// summary would ask, as Liu's bounds have it, skewed ones hardly come near.) `processors` are
/// those for the ranks of a node. Costs O(ranks) for each stage.
[[nodiscard]] std::vector<StageWork> work_within(const Algorithm& algorithm, const Machine& machine,
                                                 int processors, const TrafficSummary& traffic,
                                                 CallForm form);

/// The same for blocks that are followed on their way: O(blocks) for each stage. Throws
/// Error(argument) where these are too many, or the algorithm does not carry one of them.
[[nodiscard]] std::vector<StageWork> work_of(const Algorithm& algorithm, const Machine& machine,
                                             int processors, const Traffic& traffic, Bytes element,
                                             CallForm form);

/// How often each of kCostKeys comes up in that work, in their order.
[[nodiscard]] std::vector<double> amounts_of(std::span<const StageWork> work, double crowd);

/// Seconds of the slowest rank. Liu's flat model (2002, Section 2.1), with nodes: their ranks share
/// processors and a way out. `algorithm` is made for `machine`, or for any of its ranks.
[[nodiscard]] double expected_seconds(const Profile& profile, const Algorithm& algorithm,
                                      const Machine& machine, const TrafficSummary& traffic,
                                      CallForm form);
[[nodiscard]] double expected_seconds(const Profile& profile, const Algorithm& algorithm,
                                      const Machine& machine, const Traffic& traffic, Bytes element,
                                      CallForm form);

/// The same of MPI_Alltoallv: as long as blocks of one length take that keep the busiest rank, or
/// node, as busy.
[[nodiscard]] double expected_native_seconds(const Profile& profile, const Machine& machine,
                                             const TrafficSummary& traffic);

/// The same of MPI_Allgatherv.
[[nodiscard]] double expected_native_seconds(const Profile& profile, const Machine& machine,
                                             const Sources& sources);

}  // namespace shunt
