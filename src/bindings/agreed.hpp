// What the ranks of a communicator do together only if all of them can: plans are made, and memory
// of the node is given out, after every rank has looked at its own arguments.
#pragma once

#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "context/context.hpp"

namespace shunt {

/// Collective: one reduction. If any rank has a failure, throws on all: its own failure on a rank
/// that has one, and Error(communication), which names the first such rank, on the others.
void expect_no_failure(const Context& context, const std::exception_ptr& own);

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

}  // namespace shunt
