// How much a call moves.
#pragma once

#include "bindings/c/arguments.hpp"

namespace shunt::interpose {

struct Traffic {
  Bytes sent = 0;
  Bytes received = 0;
};

/// Of one rank, its message to itself included. Requires that MPI has found the arguments right.
[[nodiscard]] Traffic traffic_of(const c::Call& given) noexcept;

}  // namespace shunt::interpose
