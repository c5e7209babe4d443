// How much a call moves.
#pragma once

#include <vector>

#include "bindings/c/arguments.hpp"

namespace shunt::c {

/// Bytes of each of the `peers` blocks of a side: none in place. Requires that its arguments are
/// right, and that what does not count on this rank was left out.
[[nodiscard]] std::vector<Bytes> bytes_by_peer(const SideArguments& side, std::size_t peers);

/// Returns the bytes that this rank sends to each of `peers` ranks: in place as many as it
/// receives, in an all-gather those of its own block.
[[nodiscard]] std::vector<Bytes> sent_bytes(const Call& call, std::size_t peers);

}  // namespace shunt::c
