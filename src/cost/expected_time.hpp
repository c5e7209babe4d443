// How long an exchange is expected to take on a machine whose constants were measured.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "model/machine.hpp"
#include "model/profile.hpp"

namespace shunt {

/// What a rank sends and receives in a stage, half of each, to others and to itself.
struct RankWork {
  double pieces = 0;  ///< of streams, where there are several stages
  double copied = 0;  ///< bytes of them
  double inside_messages = 0;
  double inside_bytes = 0;  ///< with half of what it keeps, where there is one stage
  double outside_messages = 0;
  double outside_bytes = 0;
};

inline constexpr double RankWork::*kRankWorks[] = {
    &RankWork::pieces,       &RankWork::copied,           &RankWork::inside_messages,
    &RankWork::inside_bytes, &RankWork::outside_messages, &RankWork::outside_bytes};

inline void add(RankWork& sum, const RankWork& work, double times = 1) {
  for (const auto which : kRankWorks) sum.*which += times * work.*which;
}

/// What one stage asks of the machine: of the busiest rank, or what a node's ranks have in all for
/// each of their processors, if that is more.
struct StageWork : RankWork {
  double way_out_bytes = 0;  ///< bytes that leave one node, or reach it

  /// Counts what this rank alone has, and what the ranks of a node have in all.
  void take(const RankWork& busiest, const RankWork& node, int processors) {
    for (const auto which : kRankWorks) {
      this->*which = std::max({this->*which, busiest.*which, node.*which / processors});
    }
  }
};

/// What a rank keeps it copies once, and what others of its node get is copied twice. Where there
/// are several stages, it is in `copied` already.
inline constexpr double kKeptCopies = 0.5;

/// Whether a rank sends all messages of the stage, also those that carry nothing: it cannot say
/// otherwise to whoever does not know their lengths.
[[nodiscard]] inline bool sends_empty_ones(const Algorithm& algorithm, int stage, CallForm form) {
  return form == CallForm::one_shot && stage + 1 < algorithm.stages();
}

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
