// The profile that all ranks of a communicator use.
#pragma once

#include "exchange/context.hpp"
#include "model/profile.hpp"

namespace shunt {

/// Returns what a profile of this communicator describes; only rank 0 names the machine and the MPI
/// library. Collective when the communicator's machine was not asked for before.
[[nodiscard]] Site site_of(Context& context);

/// Collective: see Context::profile. Simulated machines have typical costs.
[[nodiscard]] Profile agree_on_profile(Context& context);

}  // namespace shunt
