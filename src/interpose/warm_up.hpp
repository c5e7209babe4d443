// The first calls on a communicator, which MPI's own functions make: what Shunt keeps for a
// communicator takes longer to set up than hundreds of short calls take.
#pragma once

#include <array>
#include <cstdint>

#include <mpi.h>

#include "bindings/c/arguments.hpp"
#include "exchange/attribute.hpp"
#include "learning/learned_calls.hpp"

namespace shunt::interpose {

/// What is known of a communicator until Shunt makes calls on it. It hangs on the communicator.
struct WarmUp {
  std::int64_t calls = 0;       ///< so far; all ranks count the same ones
  double seconds = 0;           ///< that they took this rank
  bool is_left_to_mpi = false;  ///< for good, since Shunt could not be set up
  std::array<LeftToMpi, LearnedCalls::kFunctions> left;  ///< by function: what nobody asks about
  std::array<bool, LearnedCalls::kFunctions> seen{};     ///< by function: whether it was called

  /// What is known of `comm`, without calling MPI: null unless it is one of those that this thread
  /// used last.
  [[nodiscard]] static WarmUp* known_again(MPI_Comm comm) noexcept {
    return Attribute<OnCommunicator, WarmUp>::find_again(comm);
  }
  /// What is known of `comm`, which begins with the first call.
  [[nodiscard]] static WarmUp& of(MPI_Comm comm);
};

/// Who makes a call on a communicator on which Shunt has made none yet.
enum class Admission { warming_up, shunt, native, left_to_mpi };

/// Counts the call and decides. Collective over the call's communicator, an intracommunicator:
/// before some of the calls the ranks agree by one reduction, and where Shunt takes over it is set
/// up. All ranks get the same answer. Where "auto" chooses, Shunt takes over once the calls have
/// taken all ranks what SHUNT_WARM_UP says; where the user names an algorithm, at once; and where
/// the user asks for MPI's own functions, never.
[[nodiscard]] Admission admit(const c::Call& call, WarmUp& warm_up);

}  // namespace shunt::interpose
