// Chooses a way by what is remembered, and remembers what is found.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "exchange/yard_state.hpp"
#include "model/traffic_signature.hpp"
#include "model/wisdom.hpp"
#include "planner/trials.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// An exchange for which a way is to be chosen. All ranks agree on it.
struct Question {
  std::string kind;  ///< as "alltoallv plan"
  const Options& options;
  TrafficSignature traffic;
};

/// What rank 0 says: which effort its options and variables want, and what it remembers.
struct Recalled {
  Effort effort;
  std::optional<WisdomEntry> entry;
};

/// Collective: one broadcast. In simulated runs, which are the same every time, nobody remembers.
[[nodiscard]] Recalled recall_together(YardState& yard, const Question& question);

/// Collective: `recall_together`. A way that is remembered, and that `fits`, which all ranks answer
/// alike, is the choice. Otherwise `choose` makes one with that effort, and rank 0 remembers what
/// it tried.
[[nodiscard]] PlanChoice recall_or_choose(YardState& yard, const Question& question,
                                          const std::function<bool(const Options& way)>& fits,
                                          const std::function<PlanChoice(Effort effort)>& choose);

}  // namespace shunt
