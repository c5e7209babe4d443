#include "tools/bench/grid_settings.hpp"

#include <chrono>
#include <iterator>
#include <string_view>

#include <fmt/chrono.h>

#include "environment/variables.hpp"
#include "tools/common/this_build.hpp"
#include "tools/launch/launch.hpp"

namespace shunt {

namespace {

/// In quotes where a shell would take it for several words.
std::string quoted(std::string_view word) {
  return word.find(' ') == std::string_view::npos ? std::string(word) : fmt::format("'{}'", word);
}

/// To be typed again; without the place of the program.
std::string typed_command() {
  const auto [argc, argv] = command_line();
  std::string text = "shunt";
  for (int i = 1; i < argc; ++i) text.append(" ").append(quoted(argv[i]));
  return text;
}

/// The variables of Shunt that are set; but where somebody's files lie is not published.
nlohmann::json variables_set() {
  nlohmann::json values = nlohmann::json::object();
  for (const Variable& variable : variables()) {
    const std::optional<std::string> value = value_of(variable);
    if (!value || variable.scope == Scope::command) continue;
    values[variable.name] = value->find('/') == std::string::npos ? *value : "a path";
  }
  return values;
}

}  // namespace

std::vector<std::string> grid_candidates(bool has_nodes) {
  std::vector<std::string> names{"linear",   "two-stage", "row-column", "four-stage",
                                 "stages:3", "grid:3",    "bruck:2",    "bruck:8"};
  if (has_nodes) {
    const char* const by_nodes[] = {"node-pairwise", "leaders:1", "leaders:2", "bruck-in-nodes:2",
                                    "bruck-among-nodes:2"};
    names.insert(names.end(), std::begin(by_nodes), std::end(by_nodes));
  }
  return names;
}

nlohmann::json grid_provenance(const GridSettings& settings) {
  const auto now =
      std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  return {{"about", settings.about},
          {"background", settings.background},
          {"command", typed_command()},
          {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))},
          {"element_bytes", settings.element},
          {"grain", settings.grain},
          {"seed", settings.seed},
          {"variables", variables_set()},
          {"version", kThisBuild.version},
          {"warm_up", settings.warm_up}};
}

}  // namespace shunt
