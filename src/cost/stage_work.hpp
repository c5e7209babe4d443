// What the stages of an algorithm ask of a machine.
#pragma once

#include <algorithm>

#include "algorithms/algorithm.hpp"
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

}  // namespace shunt
