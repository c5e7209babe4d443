#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "environment/variables.hpp"

namespace shunt {

namespace {

/// What Shunt's own programs tell each other: simulated ranks their machine, tests their MPI.
constexpr std::string_view kOwnNames[] = {"SHUNT_SIMULATED_MACHINE", "SHUNT_MPI"};

bool is_known(std::string_view name) {
  return std::ranges::find(variables(), name, &Variable::name) != variables().end() ||
         std::ranges::find(kOwnNames, name) != std::end(kOwnNames);
}

}  // namespace

std::vector<std::string> misspelt_variables() {
  std::vector<std::string> sentences;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view set = *entry;
    const std::string_view name = set.substr(0, set.find('='));
    if (!name.starts_with("SHUNT_") || is_known(name)) continue;
    sentences.push_back(
        fmt::format("{} is set, but there is no such variable; `shunt env` lists them", name));
  }
  std::ranges::sort(sentences);
  return sentences;
}

}  // namespace shunt
