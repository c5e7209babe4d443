// Whether what the environment names can be had among the ranks of a communicator.
#pragma once

#include "context/context.hpp"
#include "environment/environment.hpp"

namespace shunt::c {

/// Throws Error(argument) naming the variable where the environment cannot be used among the ranks
/// of `context`, for all-gathers or for all-to-all exchanges. Collective where the algorithm is
/// new.
void expect_usable(const Environment& environment, Context& context, bool allgather);

}  // namespace shunt::c
