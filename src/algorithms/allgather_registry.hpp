// All all-gathers by name: one line each.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/allgather.hpp"
#include "algorithms/surroundings.hpp"

namespace shunt {

/// What an all-gather is to be made for.
struct AllgatherSetting {
  const Sources& sources;
  const Surroundings& surroundings;
  const LinkCost& cost;  ///< for all-gathers that compare their predictions
};

/// One all-gather, as the command lists it.
struct AllgatherEntry {
  std::string_view name;
  std::string_view alias;      ///< the paper's name or another, under which it is known too
  std::string_view parameter;  ///< what may stand after the colon, or empty
  std::string_view source;     ///< paper and section
  std::string_view restriction;
  std::string_view start_ups;  ///< of the busiest rank, in terms of p ranks and s sources
  std::string_view examples;   ///< names to test and compare it by, separated by spaces
  bool by_nodes;               ///< whether it depends on which ranks share a node
  std::unique_ptr<Allgather> (*make)(const AllgatherSetting& setting, std::string_view parameter);
};

[[nodiscard]] std::span<const AllgatherEntry> allgather_registry();

/// Whether the name before the colon is that of an all-gather, or its alias.
[[nodiscard]] bool is_allgather(std::string_view name);

/// The allgather `name` ("recursive-halving", "halving-by-shape:4x6"), which may have the alias
/// before the colon, of these sources. Throws Error(argument) where the name or parameter is not
/// understood or the restriction is not met; that depends on the number of ranks alone. An array
/// without a shape is nearly square. All ranks must ask with the
/// same `cost`, for it decides what goes where.
[[nodiscard]] std::unique_ptr<Allgather> make_allgather(std::string_view name,
                                                        const Sources& sources,
                                                        const Surroundings& surroundings,
                                                        const LinkCost& cost = kTypicalLink);

/// The all-gather `name` of these sources where every rank is a node of its own: the flat network
/// of the papers.
[[nodiscard]] std::unique_ptr<Allgather> make_allgather(std::string_view name,
                                                        const Sources& sources);

/// The example names of all all-gathers that run on `ranks` ranks.
[[nodiscard]] std::vector<std::string> allgather_names(Rank ranks);

/// The example names of all all-gathers that depend on which ranks share a node.
[[nodiscard]] std::vector<std::string> node_allgather_names();

}  // namespace shunt
