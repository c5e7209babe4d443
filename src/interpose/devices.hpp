// Calls with buffers in the memory of devices: they are MPI's own, which may know how to move that.
#pragma once

#include "bindings/c/choice.hpp"
#include "bindings/c/exchange.hpp"
#include "bindings/c/report.hpp"

namespace shunt::interpose {

/// Does as c::exchange_once, unless a rank has a buffer on a device: then sets `is_for_mpi` on all
/// ranks alike, and makes nothing. Where only this rank knows of that, its part is made from copies
/// in the memory of the host.
[[nodiscard]] bool make_beside_devices(const c::Call& call, c::Choice& choice, bool& is_for_mpi,
                                       c::Failure& failure) noexcept;

}  // namespace shunt::interpose
