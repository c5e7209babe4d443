// The frame of an example program: MPI, the command line, errors.
#pragma once

#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <mpi.h>

#include "world.hpp"

namespace shunt::example {

inline constexpr int kWrongUse = 2;

/// Parses the command line on every rank; rank 0 alone prints help and complaints. Returns the exit
/// status, or nothing if the program is to run.
inline std::optional<int> parse_command_line(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream complaint;
    const int status = app.exit(error, out, complaint);
    if (world_rank() == 0) {
      std::cout << out.str();
      std::cerr << complaint.str();
    }
    return status == 0 ? EXIT_SUCCESS : kWrongUse;
  }
  return std::nullopt;
}

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
