#include "lab/traffic/patterns.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "lab/traffic/matrix_market.hpp"
#include "lab/traffic/trace_file.hpp"
#include "shunt/error.hpp"

namespace shunt {
namespace {

void check(const TrafficShape& shape) {
  const auto at_least = [](const char* what, Bytes value, Bytes least) {
    if (value < least) {
      throw Error(
          ErrorKind::argument,
          fmt::format("the {} of a traffic is {}, but must be {} or more", what, value, least));
    }
  };
  at_least("number of ranks", shape.ranks, 1);
  at_least("maximum", shape.maximum, 0);
  at_least("background", shape.background, 0);
}

std::string pattern_names() {
  std::string names;
  for (const TrafficPattern& pattern : traffic_patterns()) {
    fmt::format_to(std::back_inserter(names), "{}{}", names.empty() ? "" : ", ", pattern.name);
  }
  return names;
}

std::unique_ptr<Traffic> make_pattern(std::string_view specification, const TrafficShape& shape) {
  const std::string_view name = specification.substr(0, specification.find(':'));
  const auto patterns = traffic_patterns();
  const auto pattern = std::ranges::find(patterns, name, &TrafficPattern::name);
  if (pattern == patterns.end()) {
    throw Error(ErrorKind::argument,
                fmt::format("the traffic \"{}\" is neither a file (.mtx, .shunt) nor one of the "
                            "patterns: {}",
                            specification, pattern_names()));
  }
  if (name.size() == specification.size()) return pattern->make({}, shape);
  const std::string_view parameter = specification.substr(name.size() + 1);
  if (pattern->parameter.empty() || parameter.empty()) {
    throw Error(ErrorKind::argument,
                fmt::format("the traffic \"{}\" must {} after \"{}\"", specification,
                            parameter.empty() ? "have a parameter after its colon, or nothing"
                                              : "have nothing",
                            name));
  }
  return pattern->make(parameter, shape);
}

}  // namespace

std::unique_ptr<Traffic> make_traffic(std::string_view specification, const TrafficShape& shape) {
  check(shape);
  if (is_matrix_specification(specification)) {
    return read_matrix_market(specification, shape.ranks);
  }
  if (is_trace_specification(specification)) {
    return read_trace_traffic(specification, shape.ranks);
  }
  return make_pattern(specification, shape);
}

}  // namespace shunt
