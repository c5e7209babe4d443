// Traffics made from a specification: by a generator, or from a file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "lab/traffic/traffic.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Sizes that the generators share. A background above the maximum counts as the maximum.
struct TrafficShape {
  Rank ranks = 1;
  Bytes maximum = 1024;    ///< M_max: elements of the longest block
  Bytes background = 1;    ///< elements of a block that the pattern leaves small
  std::uint64_t seed = 1;  ///< the same seed gives the same traffic on every rank and machine
};

/// One generator, as the command lists it.
struct TrafficPattern {
  std::string_view name;       ///< "zipf"
  std::string_view parameter;  ///< "exponent (1)", or empty
  std::string_view summary;

  /// Makes the traffic; an empty parameter means the default.
  std::unique_ptr<Traffic> (*make)(std::string_view parameter, const TrafficShape& shape);
};

[[nodiscard]] std::span<const TrafficPattern> traffic_patterns();

/// A traffic from its specification: a pattern's name with its parameter after a colon
/// ("neighbours:3"), or the path of a file: Matrix Market (.mtx), or a Shunt trace (.shunt; with
/// "#k" after it, the trace's matrix k instead of its first). A trace must have `shape.ranks`
/// ranks. Throws Error(argument) where the specification is not understood, Error(file) for bad
/// files.
[[nodiscard]] std::unique_ptr<Traffic> make_traffic(std::string_view specification,
                                                    const TrafficShape& shape);

}  // namespace shunt
