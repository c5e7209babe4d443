// Whether what the environment names can be had among the ranks of a communicator.
#pragma once

#include "environment/environment.hpp"
#include "exchange/yard_state.hpp"

namespace shunt::c {

/// Throws Error(argument) naming the variable where the environment cannot be used among the ranks
/// of `yard`, for broadcasts or for all-to-all exchanges. Collective where the algorithm is new.
void expect_usable(const Environment& environment, YardState& yard, bool broadcast);

}  // namespace shunt::c
