// The command line of a program that runs on many ranks.
#pragma once

#include <cstdlib>
#include <iostream>
#include <optional>
#include <sstream>

// SMPI makes a macro of `exit`, and CLI11 has a function of that name.
#undef exit
#include <CLI/CLI.hpp>

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

}  // namespace shunt::example
