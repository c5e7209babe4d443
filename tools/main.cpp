// shunt: the command.
#include <cstdio>
#include <exception>
#include <string>

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
  shunt::add_explain(app);
  shunt::add_patterns(app);
  shunt::add_verify(app);
  CLI::App* bench = shunt::add_bench(app);
  shunt::add_record_bench(*bench);
  shunt::add_schedule_bench(*bench);
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
    app.parse(argc, argv);
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
