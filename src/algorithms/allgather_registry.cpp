#include "algorithms/allgather_registry.hpp"

#include <fmt/format.h>

#include "algorithms/allgather/allgathers.hpp"
#include "algorithms/parameters.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

template <std::unique_ptr<Allgather> (*make)(Sources)>
std::unique_ptr<Allgather> make_plain(const AllgatherSetting& setting, std::string_view parameter) {
  expect_no_parameter(parameter);
  return make(setting.sources);
}

template <auto make>
std::unique_ptr<Allgather> make_by_nodes(const AllgatherSetting& setting,
                                         std::string_view parameter) {
  expect_no_parameter(parameter);
  return make(setting.sources, setting.surroundings.machine());
}

std::unique_ptr<Allgather> make_ring_of_nodes(const AllgatherSetting& setting,
                                              std::string_view parameter) {
  const Rank steps = parameter.empty() ? 0 : positive_number(parameter, "the steps of a ring");
  return make_node_ring(setting.sources, setting.surroundings.machine(), steps);
}

/// The array of which the parameter speaks: for a line, one of one dimension unless it is given.
Extents array_of(ArrayPattern pattern, const AllgatherSetting& setting,
                 std::string_view parameter) {
  const Rank ranks = setting.sources.ranks();
  if (pattern == ArrayPattern::line && parameter.empty()) return Extents({ranks});
  return array_or_usual(parameter, ranks, 1, setting.surroundings, "an array");
}

template <auto make, ArrayPattern pattern>
std::unique_ptr<Allgather> make_on_array(const AllgatherSetting& setting,
                                         std::string_view parameter) {
  return make(pattern, array_of(pattern, setting, parameter), setting.sources);
}

/// The parameter is an array, or "if-it-pays", or both with a comma between them.
template <ArrayPattern pattern>
std::unique_ptr<Allgather> make_repositioned(const AllgatherSetting& setting,
                                             std::string_view parameter) {
  constexpr std::string_view kIfItPays = "if-it-pays";
  if (!parameter.ends_with(kIfItPays)) {
    return make_on_array<make_reposition, pattern>(setting, parameter);
  }
  parameter.remove_suffix(kIfItPays.size());
  if (parameter.ends_with(',')) parameter.remove_suffix(1);
  return make_reposition_if_it_pays(pattern, array_of(pattern, setting, parameter), setting.sources,
                                    setting.cost);
}

constexpr ArrayPattern kLine = ArrayPattern::line;
constexpr ArrayPattern kBySource = ArrayPattern::by_source;
constexpr ArrayPattern kByShape = ArrayPattern::by_shape;

constexpr AllgatherEntry kAllgathers[] = {
    {"gather-broadcast", "2-step", "", "Hambrusch 1998, 2", "none", "s + 2 log p",
     "gather-broadcast", false, make_plain<make_gather_broadcast>},
    {"direct", "pers-all-to-all", "", "Hambrusch 1998, 2", "none", "p", "direct", false,
     make_plain<make_direct>},
    {"recursive-halving", "br-lin", "AxB..", "Hambrusch 1998, 2", "none", "2 log p",
     "recursive-halving", false, make_on_array<make_halving, kLine>},
    {"halving-by-source", "br-xy-source", "AxB..", "Hambrusch 1998, 2", "none", "2 log p",
     "halving-by-source", false, make_on_array<make_halving, kBySource>},
    {"halving-by-shape", "br-xy-dim", "AxB..", "Hambrusch 1998, 2", "none", "2 log p",
     "halving-by-shape", false, make_on_array<make_halving, kByShape>},
    {"reposition", "repos-lin", "AxB..,if-it-pays", "Hambrusch 1998, 3", "none", "2 log p + 1",
     "reposition reposition:if-it-pays", false, make_repositioned<kLine>},
    {"reposition-by-source", "repos-xy-source", "AxB..,if-it-pays", "Hambrusch 1998, 3", "none",
     "2 log p + 1", "reposition-by-source reposition-by-source:if-it-pays", false,
     make_repositioned<kBySource>},
    {"reposition-by-shape", "repos-xy-dim", "AxB..,if-it-pays", "Hambrusch 1998, 3", "none",
     "2 log p + 1", "reposition-by-shape reposition-by-shape:if-it-pays", false,
     make_repositioned<kByShape>},
    {"partition", "part-lin", "AxB..", "Hambrusch 1998, 3", "none", "2 log p + 1", "partition",
     false, make_on_array<make_partition, kLine>},
    {"partition-by-source", "part-xy-source", "AxB..", "Hambrusch 1998, 3", "none", "2 log p + 1",
     "partition-by-source", false, make_on_array<make_partition, kBySource>},
    {"partition-by-shape", "part-xy-dim", "AxB..", "Hambrusch 1998, 3", "none", "2 log p + 1",
     "partition-by-shape", false, make_on_array<make_partition, kByShape>},
    {"dissemination", "br-dissemination", "", "Bruck 1997", "none", "log p", "dissemination", false,
     make_plain<make_dissemination>},
    {"ring", "br-ring", "", "ring of all ranks", "none", "p", "ring", false, make_plain<make_ring>},
    {"neighbour-exchange", "br-neighbour", "", "Chen 2005", "p even", "p/2", "neighbour-exchange",
     false, make_plain<make_neighbour_exchange>},
    {"node-halving", "br-nodes", "", "halving among nodes", "none", "n + 2 log p", "node-halving",
     true, make_by_nodes<make_node_halving>},
    {"node-halving-direct", "br-nodes-direct", "", "halving among nodes", "none", "2 n + 2 log p",
     "node-halving-direct", true, make_by_nodes<make_node_halving_direct>},
    {"node-star", "br-nodes-star", "", "straight among nodes", "none", "2 n + p/n", "node-star",
     true, make_by_nodes<make_node_star>},
    {"node-lanes", "br-nodes-lanes", "", "halving among nodes", "none", "2 n + 2 log p",
     "node-lanes", true, make_by_nodes<make_node_lanes>},
    {"node-ring", "br-nodes-ring", "STEPS", "pipelined ring of nodes", "none", "2 n + STEPS p",
     "node-ring node-ring:3", true, make_ring_of_nodes},
    {"scatter-allgather", "scatter-first", "", "van de Geijn, then Bruck", "none", "2 log p",
     "scatter-allgather", false, make_plain<make_scatter_allgather>},
};

/// The names that the entry's examples have for that many ranks.
void append_examples(const AllgatherEntry& entry, Rank ranks, std::vector<std::string>& names) {
  const Sources nobody(std::vector<Bytes>(static_cast<std::size_t>(ranks), 0));
  for_each_example(entry, [&](std::string_view example) {
    names.push_back(make_allgather(example, nobody)->name());
  });
}

}  // namespace

std::span<const AllgatherEntry> allgather_registry() { return kAllgathers; }

bool is_allgather(std::string_view name) {
  return find_entry(kAllgathers, name) != std::end(kAllgathers);
}

std::unique_ptr<Allgather> make_allgather(std::string_view name, const Sources& sources,
                                          const Surroundings& surroundings, const LinkCost& cost) {
  std::string_view parameter = name;
  const auto* const entry = find_entry(kAllgathers, parameter);
  if (entry == std::end(kAllgathers)) {
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

std::unique_ptr<Allgather> make_allgather(std::string_view name, const Sources& sources) {
  return make_allgather(name, sources, Surroundings::flat(sources.ranks()));
}

std::vector<std::string> allgather_names(Rank ranks) {
  std::vector<std::string> names;
  for (const AllgatherEntry& entry : kAllgathers) append_examples(entry, ranks, names);
  return names;
}

std::vector<std::string> node_allgather_names() {
  std::vector<std::string> names;
  for (const AllgatherEntry& entry : kAllgathers) {
    if (entry.by_nodes) append_examples(entry, 1, names);
  }
  return names;
}

}  // namespace shunt
