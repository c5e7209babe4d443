// The profile that all ranks of a communicator use.
#pragma once

#include "exchange/yard_state.hpp"
#include "model/profile.hpp"

namespace shunt {

/// What a profile of this communicator is of; only rank 0 names the machine and the MPI library.
/// Collective when nobody has asked for the communicator's machine before.
[[nodiscard]] Site site_of(YardState& yard);

/// Collective: see YardState::profile. Simulated machines have typical costs.
[[nodiscard]] Profile agree_on_profile(YardState& yard);

}  // namespace shunt
