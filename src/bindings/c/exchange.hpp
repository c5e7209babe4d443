// One exchange of the C interface, from its arguments to the pipeline.
#pragma once

#include <memory>
#include <optional>

#include "bindings/c/arguments.hpp"
#include "bindings/c/report.hpp"
#include "bindings/c/request.hpp"
#include "collective/tuned_call.hpp"

namespace shunt::c {

/// Makes the exchange once, now. False if it fails: the caller reports the `failure`.
[[nodiscard]] bool make_exchange(const Call& call, Failure& failure) noexcept;

/// Makes the exchange once, as `tuned`, which this begins. Where that `is_left_to_caller`, moves
/// nothing: the caller calls MPI's own function, and ends it; callers that can do so have asked
/// whether the buffers are memory of a device. Collective. Throws Error.
void exchange_once(const Call& call, NativeCall native, std::optional<TunedCall>& tuned);

/// Ends a call that is left to the caller, for which MPI's own function has returned `code`. Leaves
/// later calls of that function to MPI, as far as that is decided, unless each is to be `seen`.
void end_native(TunedCall& tuned, int code, bool seen);

/// Plans an exchange to be made many times. All ranks find out whether each can use its arguments,
/// of which one is `request`. Collective. Throws Error.
[[nodiscard]] std::unique_ptr<Plan::Implementation> plan_exchange(const Call& call,
                                                                  const SHUNT_Request* request);

}  // namespace shunt::c
