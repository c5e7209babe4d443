// What an algorithm makes of a traffic, stage by stage, compared with the bounds that it states.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "algorithms/algorithm.hpp"
#include "lab/traffic/traffic.hpp"
#include "tools/common/table.hpp"

namespace shunt {

struct TrafficEffect {
  std::string traffic;
  TrafficBound bound;
  Table stages;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] nlohmann::json json() const;
};

/// Follows `traffic`, in elements of `element` bytes; costs what `follow_traffic` costs.
[[nodiscard]] TrafficEffect traffic_effect(const Algorithm& algorithm, const Traffic& traffic,
                                           Bytes element);

}  // namespace shunt
