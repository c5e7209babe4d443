#include "algorithms/registry.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/parameters.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// "4x4x4"; a single dimension is written "4x", since "4" is a number of levels.
std::vector<Rank> parse_dimensions(std::string_view text) {
  std::vector<Rank> dimensions;
  while (!text.empty()) {
    const std::size_t cross = std::min(text.find('x'), text.size());
    dimensions.push_back(positive_number(text.substr(0, cross), "dimension"));
    text.remove_prefix(std::min(cross + 1, text.size()));
  }
  return dimensions;
}

using LevelsMaker = std::unique_ptr<Algorithm> (*)(Rank, int, Bytes);
using ColumnsMaker = std::unique_ptr<Algorithm> (*)(Rank, const std::vector<Rank>&, Bytes);

template <LevelsMaker by_levels, ColumnsMaker by_columns>
std::unique_ptr<Algorithm> make_multistage(const Setting& setting, std::string_view parameter) {
  if (parameter.find('x') != std::string_view::npos) {
    return by_columns(setting.ranks, parse_dimensions(parameter), setting.grain);
  }
  return by_levels(setting.ranks, number_or(3, parameter, "number of levels"), setting.grain);
}

/// The first ranks send, the others receive; a lone rank does both.
std::unique_ptr<Algorithm> make_split_groups(const Setting& setting, std::string_view parameter) {
  const Rank ranks = setting.ranks;
  const Rank senders = number_or((ranks + 1) / 2, parameter, "number of senders");
  if (senders > ranks || (senders == ranks && ranks > 1)) {
    throw Error(ErrorKind::argument,
                fmt::format("groups:{} leaves no receiver among {} ranks", senders, ranks));
  }
  std::vector<Rank> sending(static_cast<std::size_t>(senders));
  std::iota(sending.begin(), sending.end(), 0);
  std::vector<Rank> receiving(static_cast<std::size_t>(std::max(ranks - senders, 1)));
  std::iota(receiving.begin(), receiving.end(), ranks == 1 ? 0 : senders);
  return make_groups(ranks, std::move(sending), std::move(receiving), setting.grain);
}

template <std::unique_ptr<Algorithm> (*make)(Rank, Bytes)>
std::unique_ptr<Algorithm> make_plain(const Setting& setting, std::string_view parameter) {
  expect_no_parameter(parameter);
  return make(setting.ranks, setting.grain);
}

std::unique_ptr<Algorithm> make_plain_pairwise(const Setting& setting, std::string_view parameter) {
  expect_no_parameter(parameter);
  return make_pairwise(setting.ranks);
}

std::unique_ptr<Algorithm> make_paired_nodes(const Setting& setting, std::string_view parameter) {
  if (!parameter.empty() && parameter != "printed") {
    throw Error(ErrorKind::argument,
                fmt::format("the form of node-pairwise is \"{}\", but must be \"printed\" or "
                            "left out",
                            parameter));
  }
  return make_node_pairwise(setting.surroundings.machine(), parameter.empty()
                                                                ? NodePairing::Form::improved
                                                                : NodePairing::Form::printed);
}

std::unique_ptr<Algorithm> make_led(const Setting& setting, std::string_view parameter) {
  const Rank leaders = number_or(1, parameter, "number of leaders");
  return make_leaders(setting.surroundings.machine(), leaders);
}

std::unique_ptr<Algorithm> make_by_radix(const Setting& setting, std::string_view parameter) {
  return make_bruck(setting.ranks, number_or(2, parameter, "radix"));
}

template <std::unique_ptr<Algorithm> (*make)(std::shared_ptr<const Machine>, Rank)>
std::unique_ptr<Algorithm> make_by_node_radix(const Setting& setting, std::string_view parameter) {
  const Rank radix = number_or(2, parameter, "radix");
  return make(setting.surroundings.machine(), radix);
}

/// On the ring of all ranks. The parameter says how many these are, as the shape of a torus does.
template <std::unique_ptr<Algorithm> (*make)(Rank, Bytes)>
std::unique_ptr<Algorithm> make_on_ring(const Setting& setting, std::string_view parameter) {
  const Rank ranks = number_or(setting.ranks, parameter, "number of ranks");
  if (ranks != setting.ranks) {
    throw Error(ErrorKind::argument,
                fmt::format("{} is a ring of {} ranks, not of {}", ranks, ranks, setting.ranks));
  }
  return make(ranks, setting.grain);
}

/// On the torus that the parameter gives, or on that of the ranks.
template <std::unique_ptr<Algorithm> (*make)(const Extents&, Bytes), Rank multiple>
std::unique_ptr<Algorithm> make_on_torus(const Setting& setting, std::string_view parameter) {
  return make(array_or_usual(parameter, setting.ranks, multiple, setting.surroundings, "a torus"),
              setting.grain);
}

constexpr AlgorithmEntry kAlgorithms[] = {
    {"linear", "a1", "", "Liu 2002, 3.1.1", "none", "P", "Lmax", "linear", false,
     make_plain<make_linear>},
    {"two-stage", "a2", "", "Liu 2002, 3.1.2", "none", "2P", "Lmax", "two-stage", false,
     make_plain<make_two_stage>},
    {"row-column", "a3", "", "Liu 2002, 3.1.3", "none", "2 sqrt P", "sqrt P Lmax", "row-column",
     false, make_plain<make_row_column>},
    {"row-column-square", "a3-square", "", "Liu 2002, 3.1.3", "P a perfect square", "2 sqrt P",
     "sqrt P Lmax", "row-column-square", false, make_plain<make_row_column_square>},
    {"four-stage", "a4", "", "Liu 2002, 3.2", "none", "4 sqrt P + 2", "(1 + 1/sqrt P) Lmax",
     "four-stage", false, make_plain<make_four_stage>},
    {"stages", "", "k or AxB..", "Liu 2002, 5", "none", "2k (P^(1/k) + 2)", "about Lmax",
     "stages:3 stages:3x2 stages:4x", false, make_multistage<make_stages, make_stages>},
    {"grid", "collect", "k or AxB..", "row-column, k levels", "none", "k (P^(1/k) + 2)",
     "P^(1-1/k) Lmax", "grid:3 grid:4x", false, make_multistage<make_grid, make_grid>},
    {"groups", "", "S", "Liu 2002, 5", "only senders to receivers",
     "2 sqrt S + S/sqrt D + 2 sqrt D", "Lmax + rounding", "groups groups:1", false,
     make_split_groups},
    {"pairwise", "factor", "", "Sanders 2002, 2", "none", "P", "Lmax", "pairwise", false,
     make_plain_pairwise},
    {"node-pairwise", "hierarchical-factor", "printed", "Sanders 2002, 3", "none", "n P", "Lmax",
     "node-pairwise node-pairwise:printed", true, make_paired_nodes},
    {"leaders", "aggregate", "L", "leaders; Sanders 2002, 2", "none", "N + 2n", "n Lmax",
     "leaders leaders:2", true, make_led},
    {"bruck", "radix", "r", "Bruck 1997, any radix", "none", "r log_r P", "P/r Lmax",
     "bruck bruck:5", false, make_by_radix},
    {"bruck-in-nodes", "radix-nodes", "r", "bruck in nodes, then straight", "none", "r log_r n + N",
     "n Lmax", "bruck-in-nodes", true, make_by_node_radix<make_bruck_in_nodes>},
    {"bruck-among-nodes", "nodes-radix", "r", "bruck among nodes, then straight", "none",
     "r log_r N + n", "P/r Lmax", "bruck-among-nodes", true,
     make_by_node_radix<make_bruck_among_nodes>},
    // "ring", as Liu 2005 would have it, is an all-gather.
    {"torus-ring", "", "P", "Liu 2005, 3", "P even, at least 4", "P/2, all ports", "5 Lmax",
     "torus-ring", false, make_on_ring<make_torus_ring>},
    {"torus-ring-pipeline", "ring-pipeline", "P", "torus-ring in one phase", "none",
     "P/2, all ports", "3 Lmax", "torus-ring-pipeline:16 torus-ring-pipeline:7", false,
     make_on_ring<make_torus_ring_pipeline>},
    {"torus", "", "RxC", "Liu 2005, 4", "R, C multiples of 4", "C/2 + 2, all ports",
     "2.5 sqrt P Lmax", "torus", false, make_on_torus<make_torus, 4>},
    {"torus-pipeline", "", "RxC", "torus with pipelines", "R, C even", "C/2 + 2, all ports",
     "2.5 sqrt P Lmax", "torus-pipeline", false, make_on_torus<make_torus_pipeline, 2>},
    {"torus-split", "split", "AxB..", "k parts, k dimensions", "none", "k N/2, all ports", "P Lmax",
     "torus-split:4x4 torus-split:2x3x3", false, make_on_torus<make_torus_split, 1>},
};

/// The names that the entry's examples have for that many ranks.
void append_examples(const AlgorithmEntry& entry, Rank ranks, std::vector<std::string>& names) {
  for_each_example(entry, [&](std::string_view example) {
    names.push_back(make_algorithm(example, ranks, 1)->name());
  });
}

}  // namespace

std::span<const AlgorithmEntry> algorithm_registry() { return kAlgorithms; }

std::unique_ptr<Algorithm> make_algorithm(std::string_view name, Rank ranks, Bytes grain,
                                          const Surroundings& surroundings) {
  std::string_view parameter = name;
  const auto* const entry = find_entry(kAlgorithms, parameter);
  if (entry == std::end(kAlgorithms)) {
    throw Error(ErrorKind::argument,
                fmt::format("there is no algorithm \"{}\"; `shunt algorithms` lists them", name));
  }
  return entry->make({ranks, grain, surroundings}, parameter);
}

std::unique_ptr<Algorithm> make_algorithm(std::string_view name, Rank ranks, Bytes grain) {
  return make_algorithm(name, ranks, grain, Surroundings::flat(ranks));
}

std::unique_ptr<Algorithm> make_algorithm(std::string_view name, const Machine& machine,
                                          Bytes grain) {
  return make_algorithm(name, machine.ranks(), grain, Surroundings::known(machine));
}

std::vector<std::string> algorithm_names(Rank ranks) {
  std::vector<std::string> names;
  for (const AlgorithmEntry& entry : kAlgorithms) append_examples(entry, ranks, names);
  return names;
}

std::vector<std::string> node_algorithm_names() {
  std::vector<std::string> names;
  for (const AlgorithmEntry& entry : kAlgorithms) {
    if (entry.by_nodes) append_examples(entry, 1, names);
  }
  return names;
}

}  // namespace shunt
