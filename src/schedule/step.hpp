// One step of a schedule, as one rank sees it.
#pragma once

#include "shunt/types.hpp"

namespace shunt {

/// What one rank does in one step of a stage. A message to oneself is a step too, as in the papers.
struct Step {
  int number;  ///< 1-based step of the stage
  Rank to;     ///< kNoRank: nothing to send in this step
  Rank from;   ///< kNoRank: nothing to receive in this step

  friend bool operator==(const Step&, const Step&) = default;
};

}  // namespace shunt
