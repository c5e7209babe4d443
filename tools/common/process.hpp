// Other programs, and this one's own place.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "shunt/error.hpp"

namespace shunt {

/// Returns the words of `command` as `exec` takes them; points into `command`.
[[nodiscard]] std::vector<char*> pointers_to(std::vector<std::string>& command);

[[nodiscard]] Error cannot_start(const std::string& program, int reason);

/// The file of this program.
[[nodiscard]] std::filesystem::path own_executable();

/// Replaces this process by the command, which is looked for along PATH. Returns only if that
/// fails: throws Error(argument).
[[noreturn]] void become(std::vector<std::string> command);

/// Returns what the command writes to its standard output. Throws Error(argument) if it cannot be
/// started.
[[nodiscard]] std::string output_of(std::vector<std::string> command);

struct Finished {
  int status;  ///< its exit status, or 128 plus the number of the signal that ended it
  std::string output;
};

/// Runs the command to its end and takes what it writes to its standard output; its standard error
/// goes to that of this process. Throws Error(argument) if it cannot be started.
[[nodiscard]] Finished run_captured(std::vector<std::string> command);

/// Runs the command to its end; all that it writes goes to standard error. Whatever it started ends
/// with it where a signal ends this process. Throws Error(argument) if it cannot be started.
void run_aside(std::vector<std::string> command);

/// Runs the command to its end as if it were this process, to whose standard output it writes.
/// Returns its status, as Finished has it. Throws Error(argument) if it cannot be started, and
/// Error(file) where its output cannot be written.
[[nodiscard]] int run_through(std::vector<std::string> command);

/// Where the shell would find the program; empty if nowhere.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

}  // namespace shunt
