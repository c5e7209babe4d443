// What hangs on a communicator of the program.
#pragma once

#include <cstddef>
#include <memory>

#include <mpi.h>

#include "exchange/attribute.hpp"
#include "exchange/warm_up.hpp"

namespace shunt {

class YardState;

/// All that is known of a communicator, in one attribute: MPI takes half a microsecond to hang one.
struct KnownCommunicator {
  WarmUp warm_up;
  std::shared_ptr<YardState> yard;  ///< null until Shunt makes calls on it

  /// What is known of `comm`, or null. MPI is running.
  [[nodiscard]] static KnownCommunicator* find(MPI_Comm comm);

  /// What is known of `comm`, without a word to MPI: null unless `comm` is one of three that the
  /// thread's last calls were for.
  [[nodiscard]] static KnownCommunicator* find_again(MPI_Comm comm) noexcept {
    return Kept::find_again(comm);
  }

  /// What is known of `comm`, which begins with the first call. Local.
  [[nodiscard]] static KnownCommunicator& of(MPI_Comm comm);

 private:
  using Kept = Attribute<OnCommunicator, KnownCommunicator>;
};

}  // namespace shunt
