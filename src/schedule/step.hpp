// One step of a schedule, as one rank sees it.
#pragma once

#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// What one rank does in one step of a stage. A message to oneself is a step too, as in the papers.
struct Step {
  int number;  ///< 1-based step of the stage
  Rank to;     ///< kNoRank: nothing to send in this step
  Rank from;   ///< kNoRank: nothing to receive in this step

  friend bool operator==(const Step&, const Step&) = default;
};

/// Puts `rank_of(end)` in the place of each end that the steps have.
template <class RankOf>
void rename_ends(std::vector<Step>& steps, const RankOf& rank_of) {
  for (Step& step : steps) {
    if (step.to != kNoRank) step.to = rank_of(step.to);
    if (step.from != kNoRank) step.from = rank_of(step.from);
  }
}

}  // namespace shunt
