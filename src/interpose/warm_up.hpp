// The first calls on a communicator, which MPI's own functions make: what Shunt keeps for a
// communicator takes longer to set up than hundreds of short calls take.
#pragma once

#include "bindings/c/arguments.hpp"
#include "context/known_communicator.hpp"
#include "interpose/call_sites.hpp"

namespace shunt::interpose {

/// Counts a call on a communicator on which Shunt has made none yet, and decides who makes it.
/// Collective over the call's communicator, an intracommunicator: before some of the calls the
/// ranks agree by one reduction, and where Shunt takes over it is set up. All ranks get the same
/// answer. Where "auto" chooses, Shunt takes over once the calls have taken all ranks what
/// SHUNT_WARM_UP says; where the user names an algorithm, at once; and where the user asks for
/// MPI's own functions, never.
[[nodiscard]] Way admit(const c::Call& call, WarmUp& warm_up);

}  // namespace shunt::interpose
