// What becomes of a call where a rank finds its own arguments wrong. Plans are made, and memory of
// the node is given out, only if all ranks can; a one-shot call is made in any case, since the
// others are in it already.
#pragma once

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "context/context.hpp"
#include "shunt/counters.hpp"
#include "shunt/error.hpp"

namespace shunt {

/// Collective: one reduction. If any rank has a failure, throws on all: its own failure on a rank
/// that has one, and Error(communication), which names the first such rank, on the others.
inline void expect_no_failure(const Context& context, const std::exception_ptr& own) {
  const Rank mine = own != nullptr ? context.rank() : context.ranks();
  Rank first = 0;
  context.progress.reduce(&mine, &first, 1, MPI_INT32_T, MPI_MIN);
  if (own != nullptr) std::rethrow_exception(own);
  if (first == context.ranks()) return;
  throw Error(ErrorKind::communication,
              fmt::format("the arguments of rank {} cannot be used, so no rank goes on", first));
}

/// What `read` returns, or what it throws.
template <class Read>
struct Attempt {
  explicit Attempt(Read& read) {
    try {
      made.emplace(read());
    } catch (...) {
      failure = std::current_exception();
    }
  }

  std::optional<std::invoke_result_t<Read&>> made;
  std::exception_ptr failure;
};

/// Returns what `read` returns, if it returns on all ranks; else throws as `expect_no_failure`
/// does. Collective: one reduction. `read` is local, and draws no tag or number that all ranks have
/// to draw equally.
template <class Read>
[[nodiscard]] auto agreed(const Context& context, Read&& read) {
  Attempt attempt(read);
  expect_no_failure(context, attempt.failure);
  return *std::move(attempt.made);
}

/// Throws on all ranks where `check` throws on any, as `agreed` does. Collective: one reduction.
template <class Check>
void expect_on_all(const Context& context, Check&& check) {
  (void)agreed(context, [&] {
    check();
    return true;
  });
}

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
