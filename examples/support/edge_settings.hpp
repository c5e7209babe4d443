// What the edge shuffle is told by its command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shunt/types.hpp"

namespace shunt::example {

enum class OwnerRule { block, hash };

struct EdgeSettings {
  std::string graph = "data/debian-bookworm-dependencies.graph";
  OwnerRule owner = OwnerRule::block;
  std::vector<std::string> algorithms;
  int rounds = 15;
  int scale = 1;
  bool json = false;
};

/// Whether an algorithm takes traffic between any ranks.
bool carries_all_traffic(const std::string& name);

/// Rank 0 alone prints help and complaints. Returns the exit status, or nothing if the program is
/// to run.
std::optional<int> read_settings(EdgeSettings& settings, int argc, char** argv, Rank rank,
                                 Rank ranks);

}  // namespace shunt::example
