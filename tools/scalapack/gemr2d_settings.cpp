#include "tools/scalapack/gemr2d_settings.hpp"

#include <CLI/CLI.hpp>

namespace shunt::bench {

std::optional<int> read_settings(Gemr2dSettings& settings, int argc, char** argv) {
  CLI::App app("Redistributions of square matrices, beside ScaLAPACK's. Start it by mpirun.");
  app.add_option("--order", settings.orders, "Orders of the matrices")->capture_default_str();
  app.add_option("--rounds", settings.rounds, "Rounds, after one to warm up")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  app.add_flag("--json", settings.json, "Print JSON");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  return std::nullopt;
}

}  // namespace shunt::bench
