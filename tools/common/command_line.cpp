#include "tools/common/command_line.hpp"

#include <cstdlib>
#include <iostream>
#include <sstream>

namespace shunt {

std::optional<int> parse_command_line(CLI::App& app, int argc, char** argv, bool prints) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream complaint;
    const int status = app.exit(error, out, complaint);
    if (prints) {
      std::cout << out.str();
      std::cerr << complaint.str();
    }
    return status == 0 ? EXIT_SUCCESS : kWrongUse;
  }
  return std::nullopt;
}

}  // namespace shunt
