// The frame of an example program: MPI and its errors.
#pragma once

#include <cstdlib>
#include <exception>

#include <fmt/format.h>
#include <mpi.h>

#include "world.hpp"

namespace shunt::example {

/// Runs `body(argc, argv)` between MPI_Init and MPI_Finalize and returns its exit status. An error
/// on one rank ends them all, because the others may wait for it.
template <class Body>
int run_program(int argc, char** argv, Body&& body) {
  MPI_Init(&argc, &argv);
  int status = EXIT_FAILURE;
  try {
    status = body(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "rank {}: {}\n", world_rank(), error.what());
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  MPI_Finalize();
  return status;
}

}  // namespace shunt::example
