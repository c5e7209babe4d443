#include "tools/scalapack/gemr2d_settings.hpp"

#include "tools/common/command_line.hpp"

namespace shunt::bench {

std::optional<int> read_settings(Gemr2dSettings& settings, int argc, char** argv, bool prints) {
  CLI::App app("Redistributions of square matrices, beside ScaLAPACK's. Start it by mpirun.");
  app.add_option("--order", settings.orders, "Orders of the matrices")->capture_default_str();
  app.add_option("--rounds", settings.rounds, "Rounds, after one to warm up")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  app.add_flag("--json", settings.json, "Print JSON");
  return parse_command_line(app, argc, argv, prints);
}

}  // namespace shunt::bench
