// What the random calls are told by the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace shunt::test {

struct Settings {
  std::uint64_t seed = 0;
  std::uint64_t cases = 2000;
  double minutes = 0;
  std::vector<std::uint64_t> only;
};

/// Where `prints` says so, as on rank 0 alone, help and complaints are printed. Returns the exit
/// status, or nothing if the program is to run.
std::optional<int> read_settings(Settings& settings, int argc, char** argv, bool prints);

}  // namespace shunt::test
