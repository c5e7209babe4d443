// Chooses a configuration by what is remembered, and remembers what is found.
#pragma once

#include <functional>
#include <optional>

#include "planner/process_wisdom.hpp"
#include "planner/trials.hpp"

namespace shunt {

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
