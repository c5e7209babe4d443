// The arguments of the usual all-to-all call: blocks of elements that lie densely.
#pragma once

#include "bindings/c/arguments.hpp"
#include "exchange/blocks.hpp"
#include "exchange/yard_state.hpp"

namespace shunt::c {

/// Reads them into the memory that `send` and `receive` have. Local. False for calls of other
/// sorts, and where anything may be wrong: `read_arguments` reads all calls, and says what is
/// wrong.
[[nodiscard]] bool read_dense(const Call& call, const YardState& yard, SendBlocks& send,
                              ReceiveBlocks& receive);

}  // namespace shunt::c
