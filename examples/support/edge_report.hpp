// What the edge shuffle prints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shunt/types.hpp"

namespace shunt::example {

inline constexpr const char* kNative = "native";

enum class ExchangeKind { by_function, by_ranks, one_shot, plan };

/// The times of one method, one per round.
struct ShuffleResult {
  ExchangeKind kind;
  std::string method;
  std::vector<double> seconds;
};

/// In edges.
struct ShuffleLoads {
  Bytes total;
  Bytes most_sent;  ///< by one rank
  Bytes most_received;
  Bytes longest_block;
};

struct EdgeReport {
  Rank ranks;
  Bytes edge_bytes;  ///< of one edge
  std::vector<ShuffleResult> results;
  ShuffleLoads loads;
  std::int64_t verified;
  Bytes wrong_bytes;
  std::string auto_plan;  ///< what "auto" chose, or empty
};

std::string text_of(const EdgeReport& report);

std::string json_text_of(const EdgeReport& report);

}  // namespace shunt::example
