// Calls of the C interface that are recorded.
#pragma once

#include <memory>
#include <utility>

#include "bindings/c/arguments.hpp"
#include "bindings/trace/traced_call.hpp"

namespace shunt::c {

/// Of exchanges by Shunt; null where nothing is recorded, or the communicator is none to exchange
/// on. Collective when it is first called for a communicator.
[[nodiscard]] std::shared_ptr<CommunicatorTrace> trace_of(MPI_Comm comm) noexcept;

/// `call` has succeeded.
void record_success(TracedCall& record, const Call& call) noexcept;

/// The exchange `make()` of the call, recorded if the environment asks for it. Broadcasts are not:
/// what is recorded is what each rank has for each other.
template <class Make>
int traced(const Call& call, Make&& make) {
  if (!is_traced() || is_broadcast(call.form)) return std::forward<Make>(make)();
  TracedCall record(trace_of(call.comm));
  const int code = std::forward<Make>(make)();
  if (code == MPI_SUCCESS) record_success(record, call);
  return code;
}

}  // namespace shunt::c
