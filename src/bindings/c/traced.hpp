// Calls of the C interface that are recorded.
#pragma once

#include <memory>

#include "bindings/c/arguments.hpp"
#include "trace/traced_call.hpp"

namespace shunt::c {

/// Returns the trace of exchanges by Shunt on `comm`; null where nothing is recorded, or Shunt
/// cannot exchange on it. Collective when it is first called for a communicator.
[[nodiscard]] std::shared_ptr<CommunicatorTrace> trace_of(MPI_Comm comm) noexcept;

/// Records that `call` has succeeded, and what it moved.
void record_success(TracedCall& record, const Call& call) noexcept;

/// `make_exchange`, recorded if the environment asks for it; reports errors as `call.function`.
int make_traced_exchange(const Call& call);

}  // namespace shunt::c
