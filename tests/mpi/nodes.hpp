// Where the ranks of a test are.
#pragma once

#include <cstdlib>

#include <mpi.h>

#include "mpi/own_communicator.hpp"

namespace shunt::test {

/// Whether all ranks of the world are on one node, so that what is short is shared for certain.
/// Collective when it is first called.
inline bool one_node() {
  static const bool one_machine = [] {
    const auto machine = OwnCommunicator::of_machine(MPI_COMM_WORLD);
    int result = MPI_UNEQUAL;
    MPI_Comm_compare(machine.get(), MPI_COMM_WORLD, &result);
    return result == MPI_CONGRUENT;
  }();
  return one_machine && std::getenv("SHUNT_NODES") == nullptr;
}

}  // namespace shunt::test
