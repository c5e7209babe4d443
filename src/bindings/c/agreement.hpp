// SHUNT_CHECK: the ranks find out whether they agree, before anything can hang or be overwritten.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include "bindings/agreed.hpp"
#include "context/context.hpp"
#include "shunt/error.hpp"

namespace shunt::c {

/// Returns the state of `comm` for a call that the environment has a say in. The first call for a
/// communicator is collective. Throws Error(argument) on all ranks where they have different
/// variables: nothing that follows would match, not even the agreement of SHUNT_CHECK.
[[nodiscard]] inline const std::shared_ptr<Context>& context_of(MPI_Comm comm) {
  const std::shared_ptr<Context>& context = Context::of(comm);
  const std::string& difference = context->environment_difference();
  if (!difference.empty()) [[unlikely]]
    throw Error(ErrorKind::argument, difference);
  return context;
}

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
