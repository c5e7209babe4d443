// Other programs, and this one's own place.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace shunt {

/// The file of this program.
[[nodiscard]] std::filesystem::path own_executable();

/// Replaces this process by the command, which is looked for along PATH. Returns only if that
/// fails: throws Error(argument).
[[noreturn]] void become(std::vector<std::string> command);

/// What the command writes to its standard output. Throws Error(argument) if it cannot be started.
[[nodiscard]] std::string output_of(std::vector<std::string> command);

/// Where the shell would find the program; empty if nowhere.
[[nodiscard]] std::filesystem::path find_program(const std::string& name);

}  // namespace shunt
