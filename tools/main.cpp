// shunt: the command.
#include <algorithm>
#include <string>
#include <vector>

#include "tools/common/options.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/this_build.hpp"
#include "tools/launch/launch.hpp"

namespace {

void add_subcommands(shunt::Command command) {
  shunt::add_algorithms(command);
  shunt::add_calibrate(command);
  shunt::add_draw(command);
  shunt::add_env(command);
  shunt::add_explain(command);
  shunt::add_patterns(command);
  shunt::add_predict(command);
  shunt::add_redistribute(command);
  shunt::add_replay(command);
  shunt::add_reproduce(command);
  shunt::add_run(command);
  shunt::add_simulate(command);
  shunt::add_topo(command);
  shunt::add_trace(command);
  shunt::add_verify(command);
  shunt::add_wisdom(command);
  const shunt::Command bench = shunt::add_bench(command);
  shunt::add_allgather_bench(bench);
  shunt::add_grid_bench(bench);
  shunt::add_record_bench(bench);
  shunt::add_schedule_bench(bench);
}

/// With another word for the mark in `run ... -- COMMAND`: the parser would keep what follows it
/// from the subcommand.
std::vector<std::string> given_arguments(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments.front() == "run") {
    std::ranges::replace(arguments, "--", shunt::kRestMark);
  }
  return arguments;
}

}  // namespace

int main(int argc, char** argv) {
  shunt::command_line() = {argc, argv};
  return shunt::run_program({.name = "shunt",
                             .description = "Irregular all-to-all on proven schedules.\n"
                                            "`shunt SUBCOMMAND --help` lists the options of a "
                                            "subcommand.",
                             .version = std::string("shunt ") + shunt::kThisBuild.version},
                            add_subcommands, given_arguments(argc, argv));
}
