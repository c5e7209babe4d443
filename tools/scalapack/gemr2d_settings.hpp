// What gemr2d_bench is told by its command line.
#pragma once

#include <optional>
#include <vector>

namespace shunt::bench {

struct Gemr2dSettings {
  std::vector<int> orders{512, 2048, 4096};
  int rounds = 9;
  bool json = false;
};

/// Where `prints` says so, as on rank 0 alone, help and complaints are printed. Returns the exit
/// status, or nothing if the program is to run.
std::optional<int> read_settings(Gemr2dSettings& settings, int argc, char** argv, bool prints);

}  // namespace shunt::bench
