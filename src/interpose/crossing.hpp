// A call that a program makes to MPI and that arrives here: who is to make the exchange, and the
// record of it.
//
// What every call passes through is marked as hot, so that it lies together: where several ranks
// take turns on a processor, it is in no cache when it is their turn, and each page of code that it
// touches costs a call on 8 ranks a tenth of a microsecond.
#pragma once

#include <chrono>
#include <optional>

#include "bindings/c/exchange.hpp"
#include "bindings/c/traced.hpp"
#include "interpose/call_sites.hpp"
#include "interpose/passage.hpp"
#include "interpose/warm_up.hpp"

namespace shunt::interpose {

/// MPI is about to be finalized.
void expect_end();

class Crossing {
 public:
  /// `caller` is the address to which the call returns. Prints the line of SHUNT_VERBOSE if this is
  /// the first call.
  Crossing(const c::Call& call, const void* caller) noexcept;
  ~Crossing();
  Crossing(const Crossing&) = delete;
  Crossing& operator=(const Crossing&) = delete;

  [[nodiscard]] Way way() const { return way_; }

  /// The error, if there is one before anybody has begun; the handler has heard of it.
  [[nodiscard]] int failure() const { return failure_; }

  /// "auto" has found MPI's own function to be the fastest, or tries it; or it was asked for.
  void leave_to_mpi() { way_ = Way::chosen; }

  /// The exchange is over, and what it returned.
  void end(int code) noexcept;

 private:
  const c::Call& call_;
  const void* caller_;
  int failure_ = MPI_SUCCESS;
  WarmUp* warm_up_ = nullptr;  ///< of the communicator, where this is one of its first calls
  Way way_;
  bool outermost_;
  std::optional<TracedCall> trace_;  ///< where SHUNT_TRACE asks for it
  std::chrono::steady_clock::time_point begin_;
};

/// Makes the call, by `native()` where it is not Shunt's business. No error is reported twice: the
/// error handler has heard of what this returns.
template <class Native>
int take(const c::Call& call, const void* caller, const Native& native) {
  if (Passage passage(call); passage.is_open()) return passage.end(native());
  Crossing crossing(call, caller);
  c::Choice choice(NativeCall::as_it_came);
  int code = crossing.failure();
  if (code == MPI_SUCCESS && crossing.way() == Way::shunt) {
    code = c::make_exchange(call, choice);
    if (code == MPI_SUCCESS && choice.is_native()) crossing.leave_to_mpi();
  }
  if (code == MPI_SUCCESS && crossing.way() != Way::shunt) {
    code = native();
    if (code != MPI_SUCCESS) choice.fail();
  }
  if (code == MPI_SUCCESS) {
    choice.end();
    if (!is_recorded() && !is_traced()) choice.leave_to_mpi();
  }
  crossing.end(code);
  return code;
}

}  // namespace shunt::interpose
