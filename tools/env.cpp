// shunt env: what can be set, and what is.
#include <cstddef>
#include <memory>
#include <string>

#include "bindings/c/environment.hpp"
#include "shunt/error.hpp"
#include "subcommands.hpp"
#include "table.hpp"
#include "variables.hpp"

namespace shunt {

namespace {

/// The end of a long value, such as a path, is what tells it from others.
Cell value_cell(const std::string& value) {
  constexpr std::size_t kMostShown = 15;
  if (value.size() <= kMostShown) return value;
  return {"..." + value.substr(value.size() - kMostShown + 3), value};
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
  print(table, json);
  const c::Environment environment = c::read_environment();
  if (!environment.fault.empty()) throw Error(ErrorKind::argument, environment.fault);
  expect_algorithm(environment.options.algorithm);
  expect_broadcast(environment.broadcast.algorithm);
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
