// All algorithms by name: one line each.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "algorithms/algorithm.hpp"
#include "algorithms/surroundings.hpp"
#include "model/machine.hpp"

namespace shunt {

/// What an algorithm is to be made for.
struct Setting {
  Rank ranks;
  Bytes grain;
  const Surroundings& surroundings;
};

/// One algorithm, as the command lists it.
struct AlgorithmEntry {
  std::string_view name;
  std::string_view alias;      ///< the paper's name, under which it is known too; or empty
  std::string_view parameter;  ///< what may follow the colon, or empty
  std::string_view source;     ///< paper and section
  std::string_view restriction;
  std::string_view start_ups;  ///< in terms of P, as stated by the source
  std::string_view buffer;     ///< receive buffer, in terms of P, as stated by the source
  std::string_view examples;   ///< names to test and compare it by, separated by spaces
  bool by_nodes;               ///< whether it depends on which ranks share a node
  std::unique_ptr<Algorithm> (*make)(const Setting& setting, std::string_view parameter);
};

[[nodiscard]] std::span<const AlgorithmEntry> algorithm_registry();

/// The algorithm `name` ("four-stage", "stages:3", "stages:4x4x4", "groups:5"), which may have the
/// alias before the colon, over `ranks` ranks. Throws Error(argument) where the name or parameter
/// is not understood or the restriction is not met. Where it depends on nodes, every rank is a node
/// of its own: the flat network of the papers. A torus without a shape is nearly square.
[[nodiscard]] std::unique_ptr<Algorithm> make_algorithm(std::string_view name, Rank ranks,
                                                        Bytes grain);

/// The algorithm `name` for ranks in these surroundings, which are asked once for what the
/// algorithm depends on.
[[nodiscard]] std::unique_ptr<Algorithm> make_algorithm(std::string_view name, Rank ranks,
                                                        Bytes grain,
                                                        const Surroundings& surroundings);

/// The algorithm `name` for the ranks of `machine`.
[[nodiscard]] std::unique_ptr<Algorithm> make_algorithm(std::string_view name,
                                                        const Machine& machine, Bytes grain);

/// The example names of all algorithms that run on `ranks` ranks.
[[nodiscard]] std::vector<std::string> algorithm_names(Rank ranks);

/// The example names of all algorithms that depend on which ranks share a node.
[[nodiscard]] std::vector<std::string> node_algorithm_names();

}  // namespace shunt
