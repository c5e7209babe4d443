// shunt: the command.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "launch.hpp"
#include "shunt/error.hpp"
#include "subcommands.hpp"

#ifndef SHUNT_VERSION
#define SHUNT_VERSION "of an unknown version"
#endif

namespace {

constexpr int kWrongUse = 2;

void add_subcommands(CLI::App& app) {
  shunt::add_algorithms(app);
  shunt::add_draw(app);
  shunt::add_env(app);
  shunt::add_explain(app);
  shunt::add_patterns(app);
  shunt::add_replay(app);
  shunt::add_reproduce(app);
  shunt::add_run(app);
  shunt::add_simulate(app);
  shunt::add_topo(app);
  shunt::add_trace(app);
  shunt::add_verify(app);
  CLI::App* bench = shunt::add_bench(app);
  shunt::add_broadcast_bench(*bench);
  shunt::add_record_bench(*bench);
  shunt::add_schedule_bench(*bench);
}

/// In the reverse order, as CLI11 has it, and without the mark in `run ... -- COMMAND`: CLI11 would
/// keep what follows it from the subcommand, which takes all from the first word that is no option
/// of its own anyway.
std::vector<std::string> reversed_arguments(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments.front() == "run") {
    const auto mark = std::ranges::find(arguments, "--");
    if (mark != arguments.end()) arguments.erase(mark);
  }
  std::ranges::reverse(arguments);
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "Irregular all-to-all on proven schedules.\n"
      "`shunt SUBCOMMAND --help` lists the options of a subcommand.",
      "shunt"};
  app.set_version_flag("--version", "shunt " SHUNT_VERSION);
  // Not `require_subcommand`, which would report a mistyped subcommand as a missing one.
  app.callback([&app] {
    if (app.get_subcommands().empty()) throw CLI::RequiredError("a subcommand");
  });
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return fmt::format("shunt: {}\nRun with --help for more information.\n", error.what());
  });
  shunt::command_line() = {argc, argv};
  try {
    add_subcommands(app);
    app.parse(reversed_arguments(argc, argv));
  } catch (const CLI::RuntimeError& status) {
    return status.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kWrongUse;
  } catch (const shunt::Error& error) {
    fmt::print(stderr, "shunt: {}\n", error.what());
    return kWrongUse;
  } catch (const std::exception& error) {
    fmt::print(stderr, "shunt: {}\n", error.what());
    return kWrongUse;
  }
  return 0;
}
