// What PageRank is told by its command line.
#pragma once

#include <optional>
#include <string>

#include "shunt/types.hpp"

namespace shunt::example {

struct PageRankSettings {
  std::string graph = "data/debian-bookworm-dependencies.graph";
  int iterations = 50;
};

/// Rank 0 alone prints help and complaints. Returns the exit status, or nothing if the program is
/// to run.
std::optional<int> read_settings(PageRankSettings& settings, int argc, char** argv, Rank rank);

}  // namespace shunt::example
