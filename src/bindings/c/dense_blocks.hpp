// The arguments of usual calls, read without more ado: blocks of elements that lie densely, and the
// lengths of those of all-gathers.
#pragma once

#include "bindings/c/arguments.hpp"
#include "context/blocks.hpp"
#include "context/context.hpp"

namespace shunt::c {

/// Reads them into the memory that `send` and `receive` have. Local. False for calls of other
/// sorts, and where anything may be wrong: `read_arguments` reads all calls, and says what is
/// wrong.
[[nodiscard]] bool read_dense(const Call& call, const Context& context, SendBlocks& send,
                              ReceiveBlocks& receive);

/// The lengths of the blocks of an all-gather, by rank, in bytes. False where they are wrong.
[[nodiscard]] bool read_lengths(const Call& allgather, Rank ranks, std::vector<Bytes>& lengths);

}  // namespace shunt::c
