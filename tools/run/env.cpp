// shunt env: what can be set, and what is.
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "environment/environment.hpp"
#include "environment/variables.hpp"
#include "model/machine.hpp"
#include "model/node_layout.hpp"
#include "shunt/error.hpp"
#include "tools/common/names.hpp"
#include "tools/common/page.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/table.hpp"

namespace shunt {

namespace {

/// The end of a long value, such as a path, is what tells it from others.
Cell value_cell(const std::string& value) {
  constexpr std::size_t kMostShown = 15;
  if (width_of(value) <= kMostShown) return value;
  std::string end = value;
  // Whole characters: what goes on in UTF-8 begins with the bits 10.
  while (width_of(end) > kMostShown - 3) {
    do {
      end.erase(0, 1);
    } while (!end.empty() && (static_cast<unsigned char>(end[0]) & 0xc0U) == 0x80U);
  }
  return {"..." + end, value};
}

/// Adds what is wrong, if anything is, which `read` throws.
template <class Read>
void try_value(std::vector<std::string>& faults, const std::string& variable, Read read) {
  try {
    read();
  } catch (const Error& error) {
    faults.push_back(variable + error.what());
  }
}

/// Where sizes or numbers do not say it, some number of ranks stands for all.
void read_nodes(const std::string& text) {
  constexpr Rank kSome = 1024;
  const bool has_ranks = !text.starts_with("blocked:") && !text.starts_with("round-robin:");
  (void)read_node_layout(text, has_ranks ? std::nullopt : std::optional<Rank>(kSome));
}

/// What is wrong with the variables that are set.
std::vector<std::string> faults_of_variables() {
  const Environment environment = read_environment();
  std::vector<std::string> faults = environment.faults;
  try_value(faults, "", [&] { expect_algorithm(environment.options.algorithm); });
  try_value(faults, "", [&] { expect_allgather(environment.allgather.algorithm); });
  if (const char* nodes = std::getenv("SHUNT_NODES")) {
    try_value(faults, "SHUNT_NODES: ", [&] { read_nodes(nodes); });
  }
  if (const char* torus = std::getenv("SHUNT_TORUS")) {
    try_value(faults, "SHUNT_TORUS: ", [&] { (void)Extents::parse(torus); });
  }
  for (const std::string& sentence : misspelt_variables()) faults.push_back(sentence);
  return faults;
}

void show_environment(bool json) {
  Table table({{"variable", Align::left},
               {"value", Align::left},
               {"unless set", Align::left},
               {"allowed", Align::left},
               {"meaning", Align::left}});
  for (const Variable& variable : variables()) {
    const auto value = value_of(variable);
    table.add({variable.name, value ? value_cell(*value) : Cell(), variable.unless_set,
               variable.allowed, variable.meaning});
  }
  print(table, {"shunt-env"}, json);
  const std::vector<std::string> faults = faults_of_variables();
  if (faults.empty()) return;
  // Each of them is a sentence of its own.
  throw Error(ErrorKind::argument, fmt::format("{}", fmt::join(faults, "\nshunt: ")));
}

}  // namespace

void add_env(Command app) {
  const Command command =
      app.add_subcommand("env", "List the variables of the environment, and what they say now");
  auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "Print JSON");
  command.set_action([json] { show_environment(*json); });
}

}  // namespace shunt
