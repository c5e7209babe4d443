// What `shunt bench grid` measures or simulates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "shunt/types.hpp"
#include "tools/common/warm_up.hpp"

namespace shunt {

struct GridSettings {
  std::vector<std::string> patterns{"uniform", "pattern1", "pattern2", "zipf:1.2", "neighbours:4"};
  std::vector<Bytes> loads;  ///< bytes that a rank sends in all, at most; none: three usual ones
  Bytes background = 1;      ///< elements
  int element = 8;           ///< bytes
  std::uint64_t seed = 1;
  std::vector<std::string> algorithms;  ///< besides "auto" and MPI's own; none: `grid_candidates`
  std::vector<std::string> forms;       ///< none: both, simulated plans alone
  Bytes grain = 512;
  int warm_up = kUsualWarmUp;  ///< one-shot calls by "auto" before any is timed
  int rounds = 12;
  int most_rounds = 36;  ///< where it is not yet known how auto compares with MPI's own
  std::string about;     ///< what a reader should know of the machine; may be empty
};

/// Returns the algorithms that may well be the fastest; with `has_nodes` also those that depend on
/// which ranks share a node.
[[nodiscard]] std::vector<std::string> grid_candidates(bool has_nodes);

/// Returns the date, the version and the settings, which all jobs keep as their origin, as an
/// object.
[[nodiscard]] nlohmann::json grid_provenance(const GridSettings& settings);

}  // namespace shunt
