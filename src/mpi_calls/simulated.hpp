// What the engine does differently on a simulated machine (SimGrid's SMPI), where time passes in
// MPI alone unless it is told to pass, and where all ranks live in one process and one memory.
#pragma once

#include <cstddef>

#include "shunt/types.hpp"

namespace shunt {

#ifdef SHUNT_SIMULATED

inline constexpr bool kSimulated = true;

struct Simulation {
  double copy_per_byte = 0;  ///< seconds
  /// Memory that all plans use for their payload, and whose contents do not matter; null where
  /// payloads are real.
  std::byte* folded = nullptr;
  Bytes folded_bytes = 0;
};

/// The simulation that this rank is part of.
[[nodiscard]] Simulation& simulation();

/// Lets the time pass that copying takes.
void charge_copies(Bytes bytes);

[[nodiscard]] inline bool payloads_are_real() { return simulation().folded == nullptr; }

/// Memory for `bytes` bytes of a folded payload.
[[nodiscard]] std::byte* folded_payload(Bytes bytes);

#else

inline constexpr bool kSimulated = false;

inline void charge_copies(Bytes /*bytes*/) {}
[[nodiscard]] constexpr bool payloads_are_real() { return true; }
[[nodiscard]] inline std::byte* folded_payload(Bytes /*bytes*/) { return nullptr; }

#endif

}  // namespace shunt
