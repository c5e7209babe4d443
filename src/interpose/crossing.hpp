// A call that a program makes to MPI and that arrives here: who is to make the exchange, and the
// record of it.
#pragma once

#include <chrono>
#include <optional>

#include "bindings/c/exchange.hpp"
#include "bindings/c/traced.hpp"
#include "interpose/call_sites.hpp"

namespace shunt::interpose {

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
  Way way_;
  bool outermost_;
  std::optional<TracedCall> trace_;  ///< where SHUNT_TRACE asks for it
  std::chrono::steady_clock::time_point begin_;
};

/// Makes the exchange of `call`, by `native()` where it is not Shunt's business. No error is
/// reported twice: the error handler has heard of what this returns.
template <class Native>
int take(const c::Call& call, const void* caller, const Native& native) {
  Crossing crossing(call, caller);
  int code = crossing.failure();
  if (code == MPI_SUCCESS) {
    const auto make_native = [&] {
      crossing.leave_to_mpi();
      return native();
    };
    code = crossing.way() == Way::shunt ? c::make_exchange(call, make_native) : native();
  }
  crossing.end(code);
  return code;
}

}  // namespace shunt::interpose
