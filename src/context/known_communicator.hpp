// What is attached to a communicator of the program.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include <mpi.h>

#include "learning/learned_calls.hpp"
#include "mpi_calls/attribute.hpp"

namespace shunt {

class Context;

/// What is known of a communicator until Shunt makes calls on it.
struct WarmUp {
  std::int64_t calls = 0;       ///< so far; all ranks count the same ones
  double seconds = 0;           ///< that they took this rank
  bool is_looked_at = false;    ///< whether it was asked who its ranks are
  bool is_left_to_mpi = false;  ///< forever, since Shunt could not be set up
  std::array<LeftToMpi, LearnedCalls::kFunctions> left;  ///< by function: calls left to MPI
  std::array<bool, LearnedCalls::kFunctions> seen{};     ///< by function: whether it was called
};

/// All that is known of a communicator, in one attribute: MPI takes half a microsecond to attach
/// one.
struct KnownCommunicator {
  WarmUp warm_up;
  std::shared_ptr<Context> context;  ///< null until Shunt makes calls on it

  /// Returns what is known of `comm`, or null. MPI is running.
  [[nodiscard]] static KnownCommunicator* find(MPI_Comm comm);

  /// Looks `comm` up among the three communicators that this thread used last, without calling MPI.
  /// Returns null if it is not one of them.
  [[nodiscard]] static KnownCommunicator* find_again(MPI_Comm comm) noexcept {
    return Kept::find_again(comm);
  }

  /// Returns what is known of `comm`, which the first call attaches. Local.
  [[nodiscard]] static KnownCommunicator& of(MPI_Comm comm);

 private:
  using Kept = Attribute<OnCommunicator, KnownCommunicator>;
};

}  // namespace shunt
