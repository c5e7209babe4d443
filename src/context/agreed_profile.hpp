// The profile that all ranks of a communicator use.
#pragma once

#include "context/process_set.hpp"
#include "context/progress.hpp"
#include "context/topology.hpp"
#include "model/profile.hpp"

namespace shunt {

/// Collective: see Tuning::profile. Simulated machines have typical costs.
[[nodiscard]] Profile agree_on_profile(const ProcessSet& set, Topology& topology,
                                       const Progress& progress);

}  // namespace shunt
