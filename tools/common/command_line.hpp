// The command line of a program that runs on many ranks.
#pragma once

#include <optional>

#include <CLI/CLI.hpp>

namespace shunt {

inline constexpr int kWrongUse = 2;  ///< exit status

/// Parses the command line; help and complaints are printed where `prints` says so, as on rank 0
/// alone. Returns the exit status, or nothing if the program is to run.
std::optional<int> parse_command_line(CLI::App& app, int argc, char** argv, bool prints);

}  // namespace shunt
