#include "support/edge_settings.hpp"

#include <map>

#include "algorithms/canonical_name.hpp"
#include "algorithms/registry.hpp"
#include "shunt/error.hpp"
#include "tools/common/command_line.hpp"

namespace shunt::example {
namespace {

/// What is wrong with an algorithm's name, or nothing.
std::string algorithm_error(const std::string& name, Rank ranks) {
  try {
    if (name != "auto") (void)make_algorithm(name, ranks, 1);
  } catch (const Error& error) {
    return error.what();
  }
  return carries_all_traffic(name) ? "" : name + " does not carry all traffic";
}

}  // namespace

bool carries_all_traffic(const std::string& name) { return !name.starts_with("groups"); }

std::optional<int> read_settings(EdgeSettings& settings, int argc, char** argv, Rank rank,
                                 Rank ranks) {
  CLI::App app{
      "Every rank has the edges that leave its block of a graph's vertices and sends\n"
      "each to the owner of its target: as records in any order, and as ordered\n"
      "blocks. Prints the time of the slowest rank by MPI's own collective and by each\n"
      "algorithm of Shunt; all that arrives is compared with what the graph says must\n"
      "arrive.\n"
      "Start it by mpirun: mpirun -n 8 edge_shuffle",
      "edge_shuffle"};
  app.add_option("--graph", settings.graph, "File of the graph")
      ->check(CLI::ExistingFile)
      ->capture_default_str();
  const std::map<std::string, OwnerRule> rules{{"block", OwnerRule::block},
                                               {"hash", OwnerRule::hash}};
  app.add_option("--owner", settings.owner, "Owners of targets: by blocks of vertices or a hash")
      ->transform(CLI::CheckedTransformer(rules, CLI::ignore_case))
      ->option_text("block|hash [block]");
  app.add_option("--algorithm", settings.algorithms, "Only these; `shunt algorithms` lists them")
      ->transform(CLI::Validator(
          [](std::string& name) {
            name = canonical_name(name);
            return std::string();
          },
          ""))
      ->check([ranks](const std::string& name) { return algorithm_error(name, ranks); })
      ->option_text("NAME... [auto and all]");
  app.add_option("--rounds", settings.rounds, "Time everything so often, in turn")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--scale", settings.scale, "Shuffle so many copies of the graph at once")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  app.add_flag("--json", settings.json, "Print JSON");
  return parse_command_line(app, argc, argv, rank == 0);
}

}  // namespace shunt::example
