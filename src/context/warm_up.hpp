// What is known of a communicator before anything is set up for it.
#pragma once

#include <array>
#include <cstdint>

#include <mpi.h>

#include "learning/learned_calls.hpp"

namespace shunt {

/// What is known of a communicator until Shunt makes calls on it.
struct WarmUp {
  std::int64_t calls = 0;       ///< so far; all ranks count the same ones
  double seconds = 0;           ///< that they took this rank
  bool is_looked_at = false;    ///< whether it was asked who its ranks are
  bool is_left_to_mpi = false;  ///< forever, since Shunt could not be set up
  std::array<LeftToMpi, LearnedCalls::kFunctions> left;  ///< by function: calls left to MPI
  std::array<bool, LearnedCalls::kFunctions> seen{};     ///< by function: whether it was called
};

/// Whether all ranks give `all`, or any gives `any`. Collective over `comm`, an intracommunicator:
/// one reduction, for whose failure the error handler is not called.
[[nodiscard]] bool all_or_any(MPI_Comm comm, bool all, bool any);

}  // namespace shunt
