// How much a call moves.
#pragma once

#include "bindings/c/arguments.hpp"

namespace shunt::interpose {

struct Traffic {
  Bytes sent = 0;
  Bytes received = 0;
};

/// Returns what this rank moves, its message to itself included. Requires that MPI has accepted the
/// arguments.
[[nodiscard]] Traffic traffic_of(const c::Call& given) noexcept;

}  // namespace shunt::interpose
