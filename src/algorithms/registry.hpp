// All algorithms by name: one line each.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "algorithms/algorithm.hpp"

namespace shunt {

/// One algorithm, as the command lists it.
struct AlgorithmEntry {
  std::string_view name;
  std::string_view parameter;  ///< what may stand after the colon, or empty
  std::string_view source;     ///< paper and section
  std::string_view restriction;
  std::string_view start_ups;  ///< in terms of P, as stated by the source
  std::string_view buffer;     ///< receive buffer, likewise
  std::string_view examples;   ///< names to test and compare it by, separated by spaces
  std::unique_ptr<Algorithm> (*make)(Rank ranks, std::string_view parameter, Bytes grain);
};

[[nodiscard]] std::span<const AlgorithmEntry> algorithm_registry();

/// The algorithm `name` ("a4", "stages:3", "stages:4x4x4", "groups:5") over `ranks` ranks. Throws
/// Error(argument) where the name or parameter is not understood or the restriction is not met.
[[nodiscard]] std::unique_ptr<Algorithm> make_algorithm(std::string_view name, Rank ranks,
                                                        Bytes grain);

/// The example names of all algorithms that run on `ranks` ranks.
[[nodiscard]] std::vector<std::string> algorithm_names(Rank ranks);

}  // namespace shunt
