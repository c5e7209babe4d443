#include "conformance/settings.hpp"

#include "tools/common/command_line.hpp"

namespace shunt::test {

std::optional<int> read_settings(Settings& settings, int argc, char** argv, bool prints) {
  CLI::App app("Random calls by MPI and by Shunt, compared");
  app.add_option("--seed", settings.seed, "What all choices follow from; random unless given");
  app.add_option("--cases", settings.cases, "How many calls");
  app.add_option("--minutes", settings.minutes, "Go on for that long instead");
  app.add_option("--case", settings.only, "Only these, by their numbers");
  return parse_command_line(app, argc, argv, prints);
}

}  // namespace shunt::test
