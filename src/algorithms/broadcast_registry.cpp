#include "algorithms/broadcast_registry.hpp"

#include <fmt/format.h>

#include "algorithms/broadcast/broadcasts.hpp"
#include "algorithms/parameters.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

template <std::unique_ptr<Broadcast> (*make)(Sources)>
std::unique_ptr<Broadcast> make_plain(const BroadcastSetting& setting, std::string_view parameter) {
  expect_no_parameter(parameter);
  return make(setting.sources);
}

template <auto make>
std::unique_ptr<Broadcast> make_by_nodes(const BroadcastSetting& setting,
                                         std::string_view parameter) {
  expect_no_parameter(parameter);
  return make(setting.sources, setting.surroundings.machine());
}

std::unique_ptr<Broadcast> make_ring_of_nodes(const BroadcastSetting& setting,
                                              std::string_view parameter) {
  const Rank steps = parameter.empty() ? 0 : positive_number(parameter, "the steps of a ring");
  return make_br_nodes_ring(setting.sources, setting.surroundings.machine(), steps);
}

/// The array of which the parameter speaks: for a line, one of one dimension unless it is given.
Extents array_of(ArrayPattern pattern, const BroadcastSetting& setting,
                 std::string_view parameter) {
  const Rank ranks = setting.sources.ranks();
  if (pattern == ArrayPattern::lin && parameter.empty()) return Extents({ranks});
  return array_or_usual(parameter, ranks, 1, setting.surroundings, "an array");
}

template <auto make, ArrayPattern pattern>
std::unique_ptr<Broadcast> make_on_array(const BroadcastSetting& setting,
                                         std::string_view parameter) {
  return make(pattern, array_of(pattern, setting, parameter), setting.sources);
}

/// The parameter is an array, or "if-it-pays", or both with a comma between them.
template <ArrayPattern pattern>
std::unique_ptr<Broadcast> make_repositioned(const BroadcastSetting& setting,
                                             std::string_view parameter) {
  constexpr std::string_view kIfItPays = "if-it-pays";
  if (!parameter.ends_with(kIfItPays)) {
    return make_on_array<make_repos, pattern>(setting, parameter);
  }
  parameter.remove_suffix(kIfItPays.size());
  if (parameter.ends_with(',')) parameter.remove_suffix(1);
  return make_repos_if_it_pays(pattern, array_of(pattern, setting, parameter), setting.sources,
                               setting.cost);
}

constexpr ArrayPattern kLin = ArrayPattern::lin;
constexpr ArrayPattern kXySource = ArrayPattern::xy_source;
constexpr ArrayPattern kXyDim = ArrayPattern::xy_dim;

constexpr BroadcastEntry kBroadcasts[] = {
    {"2-step", "", "Hambrusch 1998, 2", "none", "s + 2 log p", "2-step", false,
     make_plain<make_two_step>},
    {"pers-all-to-all", "", "Hambrusch 1998, 2", "none", "p", "pers-all-to-all", false,
     make_plain<make_pers_all_to_all>},
    {"br-lin", "AxB..", "Hambrusch 1998, 2", "none", "2 log p", "br-lin", false,
     make_on_array<make_br, kLin>},
    {"br-xy-source", "AxB..", "Hambrusch 1998, 2", "none", "2 log p", "br-xy-source", false,
     make_on_array<make_br, kXySource>},
    {"br-xy-dim", "AxB..", "Hambrusch 1998, 2", "none", "2 log p", "br-xy-dim", false,
     make_on_array<make_br, kXyDim>},
    {"repos-lin", "AxB..,if-it-pays", "Hambrusch 1998, 3", "none", "2 log p + 1",
     "repos-lin repos-lin:if-it-pays", false, make_repositioned<kLin>},
    {"repos-xy-source", "AxB..,if-it-pays", "Hambrusch 1998, 3", "none", "2 log p + 1",
     "repos-xy-source repos-xy-source:if-it-pays", false, make_repositioned<kXySource>},
    {"repos-xy-dim", "AxB..,if-it-pays", "Hambrusch 1998, 3", "none", "2 log p + 1",
     "repos-xy-dim repos-xy-dim:if-it-pays", false, make_repositioned<kXyDim>},
    {"part-lin", "AxB..", "Hambrusch 1998, 3", "none", "2 log p + 1", "part-lin", false,
     make_on_array<make_part, kLin>},
    {"part-xy-source", "AxB..", "Hambrusch 1998, 3", "none", "2 log p + 1", "part-xy-source", false,
     make_on_array<make_part, kXySource>},
    {"part-xy-dim", "AxB..", "Hambrusch 1998, 3", "none", "2 log p + 1", "part-xy-dim", false,
     make_on_array<make_part, kXyDim>},
    {"br-dissemination", "", "Bruck 1997", "none", "log p", "br-dissemination", false,
     make_plain<make_br_dissemination>},
    {"br-ring", "", "ring of all ranks", "none", "p", "br-ring", false, make_plain<make_br_ring>},
    {"br-neighbour", "", "Chen 2005", "p even", "p/2", "br-neighbour", false,
     make_plain<make_br_neighbour>},
    {"br-nodes", "", "br-lin among nodes", "none", "n + 2 log p", "br-nodes", true,
     make_by_nodes<make_br_nodes>},
    {"br-nodes-direct", "", "br-lin among nodes", "none", "2 n + 2 log p", "br-nodes-direct", true,
     make_by_nodes<make_br_nodes_direct>},
    {"br-nodes-star", "", "straight among nodes", "none", "2 n + p/n", "br-nodes-star", true,
     make_by_nodes<make_br_nodes_star>},
    {"br-nodes-lanes", "", "br-lin among nodes", "none", "2 n + 2 log p", "br-nodes-lanes", true,
     make_by_nodes<make_br_nodes_lanes>},
    {"br-nodes-ring", "STEPS", "pipelined ring of nodes", "none", "2 n + STEPS p",
     "br-nodes-ring br-nodes-ring:3", true, make_ring_of_nodes},
    {"scatter-first", "", "van de Geijn, then Bruck", "none", "2 log p", "scatter-first", false,
     make_plain<make_scatter_first>},
};

/// The names that the entry's examples have for that many ranks.
void append_examples(const BroadcastEntry& entry, Rank ranks, std::vector<std::string>& names) {
  const Sources nobody(std::vector<Bytes>(static_cast<std::size_t>(ranks), 0));
  for_each_example(entry, [&](std::string_view example) {
    names.push_back(make_broadcast(example, nobody)->name());
  });
}

}  // namespace

std::span<const BroadcastEntry> broadcast_registry() { return kBroadcasts; }

bool is_broadcast(std::string_view name) {
  return find_entry(kBroadcasts, name) != std::end(kBroadcasts);
}

std::unique_ptr<Broadcast> make_broadcast(std::string_view name, const Sources& sources,
                                          const Surroundings& surroundings, const LinkCost& cost) {
  std::string_view parameter = name;
  const auto* const entry = find_entry(kBroadcasts, parameter);
  if (entry == std::end(kBroadcasts)) {
    throw Error(
        ErrorKind::argument,
        fmt::format("there is no all-gather algorithm \"{}\"; `shunt algorithms --allgather` lists "
                    "them",
                    name));
  }
  if (sources.ranks() < 1) {
    throw Error(ErrorKind::argument, "an all-gather is among 1 or more ranks, not among 0");
  }
  return entry->make({sources, surroundings, cost}, parameter);
}

std::unique_ptr<Broadcast> make_broadcast(std::string_view name, const Sources& sources) {
  return make_broadcast(name, sources, Surroundings::flat(sources.ranks()));
}

std::vector<std::string> broadcast_names(Rank ranks) {
  std::vector<std::string> names;
  for (const BroadcastEntry& entry : kBroadcasts) append_examples(entry, ranks, names);
  return names;
}

std::vector<std::string> node_broadcast_names() {
  std::vector<std::string> names;
  for (const BroadcastEntry& entry : kBroadcasts) {
    if (entry.by_nodes) append_examples(entry, 1, names);
  }
  return names;
}

}  // namespace shunt
