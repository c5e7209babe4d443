// One-shot calls in which a rank may find its own arguments wrong, while the others are in the call
// already.
#pragma once

#include <exception>
#include <utility>

#include "shunt/counters.hpp"
#include "shunt/error.hpp"

namespace shunt {

/// Makes a call that all ranks make: `read` looks at this rank's own arguments, without
/// communication, and `make` makes the call. Where `read` throws an Error, `leave_out` makes the
/// arguments such that this rank takes part without blocks, so that the ranks' later calls match;
/// the Error is thrown once the call has ended.
template <class Read, class LeaveOut, class Make>
Counters take_part(Read&& read, LeaveOut&& leave_out, Make&& make) {
  std::exception_ptr fault;
  try {
    std::forward<Read>(read)();
  } catch (const Error&) {
    fault = std::current_exception();
    std::forward<LeaveOut>(leave_out)();
  }
  Counters counters = std::forward<Make>(make)();
  if (fault) std::rethrow_exception(fault);
  return counters;
}

}  // namespace shunt
