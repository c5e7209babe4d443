// Chooses a configuration by what is remembered, and remembers what is found.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "context/context.hpp"
#include "model/traffic_signature.hpp"
#include "model/wisdom.hpp"
#include "planner/trials.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// An exchange for which a configuration is to be chosen. Equal on all ranks.
struct Question {
  std::string kind;  ///< as "alltoallv plan"
  const Options& options;
  TrafficSignature traffic;
};

/// What rank 0 broadcasts: the effort that its options and variables ask for, and what it
/// remembers.
struct Recalled {
  Effort effort;
  std::optional<WisdomEntry> entry;
};

/// Returns what rank 0 remembers. Collective: one broadcast. In simulated runs, which repeat
/// exactly, nothing is remembered.
[[nodiscard]] Recalled recall_together(Context& context, const Question& question);

/// Whether a configuration can be used; answers equally on all ranks.
using Fits = std::function<bool(const Configuration& configuration)>;

/// Returns the configuration that is remembered if it `fits`. Otherwise `choose` chooses with the
/// effort asked for, and rank 0 remembers what it tried. Collective, as `recall_together` is.
[[nodiscard]] PlanChoice recall_or_choose(Context& context, const Question& question,
                                          const Fits& fits,
                                          const std::function<PlanChoice(Effort effort)>& choose);

}  // namespace shunt
