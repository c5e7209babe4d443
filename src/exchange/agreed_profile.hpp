// The profile that all ranks of a communicator use.
#pragma once

#include "exchange/yard_state.hpp"
#include "model/profile.hpp"

namespace shunt {

/// Returns what a profile of this communicator describes; only rank 0 names the machine and the MPI
/// library. Collective when the communicator's machine was not asked for before.
[[nodiscard]] Site site_of(YardState& yard);

/// Collective: see YardState::profile. Simulated machines have typical costs.
[[nodiscard]] Profile agree_on_profile(YardState& yard);

}  // namespace shunt
