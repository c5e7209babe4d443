// The variables of the environment that Shunt knows, and those that only look so.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace shunt {

inline constexpr std::string_view kVariableNames[] = {
    "SHUNT_ALGORITHM", "SHUNT_BROADCAST", "SHUNT_MODE",    "SHUNT_PACKET",       "SHUNT_MEMORY",
    "SHUNT_CHECK",     "SHUNT_NODES",     "SHUNT_TORUS",   "SHUNT_EFFORT",       "SHUNT_LEARN",
    "SHUNT_WISDOM",    "SHUNT_DIRECTORY", "SHUNT_PROFILE", "SHUNT_WARM_UP",      "SHUNT_DISABLE",
    "SHUNT_VERBOSE",   "SHUNT_STATS",     "SHUNT_TRACE",   "SHUNT_LIBRARY_PATH", "SHUNT_MPIRUN"};

/// What Shunt's own programs tell each other: simulated ranks their machine, tests their MPI.
inline constexpr std::string_view kOwnNames[] = {"SHUNT_SIMULATED_MACHINE", "SHUNT_MPI"};

/// A sentence for each variable that is set, begins like Shunt's, and is none of them.
[[nodiscard]] inline std::vector<std::string> misspelt_variables() {
  std::vector<std::string> sentences;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view set = *entry;
    const std::string_view name = set.substr(0, set.find('='));
    if (!name.starts_with("SHUNT_")) continue;
    if (std::ranges::find(kVariableNames, name) != std::end(kVariableNames)) continue;
    if (std::ranges::find(kOwnNames, name) != std::end(kOwnNames)) continue;
    sentences.push_back(
        fmt::format("{} is set, but there is no such variable; `shunt env` lists them", name));
  }
  std::ranges::sort(sentences);
  return sentences;
}

}  // namespace shunt
