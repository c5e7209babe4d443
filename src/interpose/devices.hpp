// Calls with buffers in the memory of devices: MPI makes them, which may be able to move that.
#pragma once

#include <optional>

#include "bindings/c/exchange.hpp"
#include "bindings/c/report.hpp"
#include "collective/tuned_call.hpp"

namespace shunt::interpose {

/// Makes the exchange as c::exchange_once does, unless a rank has a buffer on a device: then sets
/// `is_for_mpi` on all ranks, and makes nothing. Where only this rank knows of its buffer, makes
/// its part from copies in the memory of the host. Returns false if the exchange fails.
[[nodiscard]] bool make_beside_devices(const c::Call& call, std::optional<TunedCall>& tuned,
                                       bool& is_for_mpi, c::Failure& failure) noexcept;

}  // namespace shunt::interpose
