// SHUNT_CHECK: the ranks find out whether they agree, before anything can hang or be overwritten.
#pragma once

#include <exception>
#include <utility>
#include <vector>

#include "bindings/agreed.hpp"
#include "context/context.hpp"

namespace shunt::c {

/// What a rank tells the others of its own part of an exchange.
struct Part {
  std::exception_ptr failure;    ///< what is wrong with its own arguments, if anything is
  std::vector<Bytes> sent = {};  ///< bytes by rank; ignored if there is a failure
  std::vector<Bytes> received = {};
  bool in_place = false;  ///< whether it sends from where it receives; never in all-gathers
};

/// Collective: one MPI_Ialltoall of two 64-bit lengths and one reduction. If anything is wrong on
/// any rank it throws on all ranks: `failure` itself, Error(buffer) where some ranks send in place,
/// Error(truncated) where ranks do not agree on the length of a block, Error(communication) where
/// only others are concerned, or where earlier calls have left the ranks with other numbers
/// (Context::drawn).
void agree(const Context& context, const Part& part);

/// Returns what `read` returns, on all ranks or on none; `part_of` makes this rank's part of it.
/// Collective, and throws, as `agree` does.
template <class Read, class PartOf>
[[nodiscard]] auto read_and_agree(const Context& context, Read&& read, PartOf&& part_of) {
  Attempt attempt(read);
  agree(context, attempt.made ? part_of(*attempt.made) : Part{attempt.failure});
  return *std::move(attempt.made);
}

}  // namespace shunt::c
