// A call of MPI that is intercepted: the decision whether Shunt or MPI makes the exchange, and the
// record of it.
//
// What every call runs through is marked as hot, so that its code is contiguous: where several
// ranks share a processor, it is in no cache when a rank runs again, and each page of code that it
// touches costs a call on 8 ranks a tenth of a microsecond.
#pragma once

#include <chrono>
#include <optional>

#include "bindings/c/exchange.hpp"
#include "bindings/c/mpi_faults.hpp"
#include "bindings/c/traced.hpp"
#include "interpose/call_sites.hpp"
#include "interpose/fast_path.hpp"
#include "interpose/packed_call.hpp"
#include "interpose/warm_up.hpp"

namespace shunt::interpose {

/// Has MPI make all calls from here on, since it is about to be finalized. Calls of delete
/// callbacks on MPI_COMM_SELF may come before what Shunt keeps is freed, or after, depending on the
/// rank.
void expect_end();

class InterceptedCall {
 public:
  /// `caller` is the address to which the call returns. Prints the line of SHUNT_VERBOSE if this is
  /// the first call.
  InterceptedCall(const c::Call& call, const void* caller);
  InterceptedCall(const InterceptedCall&) = delete;
  InterceptedCall& operator=(const InterceptedCall&) = delete;

  [[nodiscard]] Way way() const { return way_; }

  /// Returns the error that there was before the exchange began, or MPI_SUCCESS; the error handler
  /// was called for it.
  [[nodiscard]] int failure() const { return failure_; }

  /// Makes the exchange by Shunt, or leaves it to MPI. Returns false if it fails.
  [[nodiscard]] bool make(std::optional<TunedCall>& tuned, c::Failure& failure);

  /// Records the end of the exchange, which returned `code`.
  void end(int code) noexcept;

 private:
  const c::Call& call_;
  const void* caller_;
  int failure_ = MPI_SUCCESS;
  WarmUp* warm_up_ = nullptr;  ///< of the communicator, where this is one of its first calls
  Way way_;
  std::optional<TracedCall> trace_;  ///< where SHUNT_TRACE asks for it
  std::chrono::steady_clock::time_point begin_;
};

/// Calls MPI's own function where Shunt might have made the call, avoiding its known faults.
/// Returns what it returns.
template <class Native>
int make_native(c::Call& call, Native& native) {
  if (call.send.buffer == call.receive.buffer) [[unlikely]]
    c::give_stand_ins(call);
  if (call.form == c::Form::alltoall && may_misplace()) [[unlikely]] {
    if (const std::optional<PackedCall> packed = PackedCall::of(call)) {
      const int code = native(packed->call());
      if (code == MPI_SUCCESS) packed->unpack();
      return code;
    }
  }
  return native(call);
}

/// Makes the call, by `native(call)` where Shunt does not make it. Returns an MPI error class. A
/// failure of Shunt's own is in `failure`, and no error handler was called for it.
template <class Native>
int cross(c::Call& call, const void* caller, Native& native, c::Failure& failure) {
  InterceptedCall intercepted(call, caller);
  std::optional<TunedCall> tuned;
  int code = intercepted.failure();
  if (code == MPI_SUCCESS && intercepted.way() == Way::shunt && !intercepted.make(tuned, failure)) {
    code = failure.error_class;
  }
  if (code == MPI_SUCCESS && intercepted.way() != Way::shunt) {
    code = may_be_shunt(intercepted.way()) ? make_native(call, native) : native(call);
    if (tuned) c::end_native(*tuned, code, is_recorded() || is_traced());
  }
  intercepted.end(code);
  return code;
}

/// Makes an intercepted call, and returns what the program gets. The error handler was called once
/// for an error that this returns.
template <class Native>
int intercept(c::Call call, const void* caller, Native native) {
  if (FastPath fast_path(call); fast_path.is_open())
    return fast_path.end(make_native(call, native));
  c::Failure failure;
  failure.error_class = MPI_SUCCESS;
  const int code = cross(call, caller, native, failure);
  // The handler may never return, so nothing of the call is left by now.
  return failure.error_class == MPI_SUCCESS ? code : c::report(call.function, {call.comm}, failure);
}

}  // namespace shunt::interpose
