// Chooses a way by what is remembered, and remembers what is found.
#pragma once

#include <functional>

#include "exchange/yard_state.hpp"
#include "model/traffic_signature.hpp"
#include "planner/trials.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// An exchange for which a way is to be chosen. All ranks agree on it.
struct Question {
  const char* kind;  ///< as "alltoallv plan"
  const Options& options;
  TrafficSignature traffic;
};

/// Collective: one broadcast, in which rank 0 says what it remembers and which effort its options
/// and variables want. A way that is remembered, and that `fits`, which all ranks answer alike, is
/// the choice. Otherwise `choose` makes one with that effort, and rank 0 remembers what it tried.
[[nodiscard]] PlanChoice recall_or_choose(YardState& yard, const Question& question,
                                          const std::function<bool(const Options& way)>& fits,
                                          const std::function<PlanChoice(Effort effort)>& choose);

}  // namespace shunt
