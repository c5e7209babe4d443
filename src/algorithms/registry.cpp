#include "algorithms/registry.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include <fmt/format.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

Rank parse_number(std::string_view text, std::string_view what) {
  Rank value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 1) {
    throw Error(ErrorKind::argument,
                fmt::format("the {} is \"{}\", not a positive number", what, text));
  }
  return value;
}

/// "4x4x4"; a single dimension is written "4x", since "4" is a number of levels.
std::vector<Rank> parse_dimensions(std::string_view text) {
  std::vector<Rank> dimensions;
  while (!text.empty()) {
    const std::size_t cross = std::min(text.find('x'), text.size());
    dimensions.push_back(parse_number(text.substr(0, cross), "dimension"));
    text.remove_prefix(std::min(cross + 1, text.size()));
  }
  return dimensions;
}

using LevelsMaker = std::unique_ptr<Algorithm> (*)(Rank, int, Bytes);
using ColumnsMaker = std::unique_ptr<Algorithm> (*)(Rank, const std::vector<Rank>&, Bytes);

template <LevelsMaker by_levels, ColumnsMaker by_columns>
std::unique_ptr<Algorithm> make_multistage(Rank ranks, std::string_view parameter, Bytes grain) {
  if (parameter.find('x') != std::string_view::npos) {
    return by_columns(ranks, parse_dimensions(parameter), grain);
  }
  return by_levels(ranks, parameter.empty() ? 3 : parse_number(parameter, "number of levels"),
                   grain);
}

/// The first ranks send, the others receive; a lone rank does both.
std::unique_ptr<Algorithm> make_split_groups(Rank ranks, std::string_view parameter, Bytes grain) {
  const Rank senders =
      parameter.empty() ? (ranks + 1) / 2 : parse_number(parameter, "number of senders");
  if (senders > ranks || (senders == ranks && ranks > 1)) {
    throw Error(ErrorKind::argument,
                fmt::format("groups:{} leaves no receiver among {} ranks", senders, ranks));
  }
  std::vector<Rank> sending(static_cast<std::size_t>(senders));
  std::iota(sending.begin(), sending.end(), 0);
  std::vector<Rank> receiving(static_cast<std::size_t>(std::max(ranks - senders, 1)));
  std::iota(receiving.begin(), receiving.end(), ranks == 1 ? 0 : senders);
  return make_groups(ranks, std::move(sending), std::move(receiving), grain);
}

template <std::unique_ptr<Algorithm> (*make)(Rank, Bytes)>
std::unique_ptr<Algorithm> make_plain(Rank ranks, std::string_view parameter, Bytes grain) {
  if (!parameter.empty()) {
    throw Error(
        ErrorKind::argument,
        fmt::format("\"{}\" follows the name of an algorithm without parameter", parameter));
  }
  return make(ranks, grain);
}

constexpr AlgorithmEntry kRegistry[] = {
    {"a1", "", "Liu 2002, 3.1.1", "none", "P", "Lmax", "a1", make_plain<make_a1>},
    {"a2", "", "Liu 2002, 3.1.2", "none", "2P", "Lmax", "a2", make_plain<make_a2>},
    {"a3", "", "Liu 2002, 3.1.3", "none", "2 sqrt P", "sqrt P Lmax", "a3", make_plain<make_a3>},
    {"a3-square", "", "Liu 2002, 3.1.3", "P a perfect square", "2 sqrt P", "sqrt P Lmax",
     "a3-square", make_plain<make_a3_square>},
    {"a4", "", "Liu 2002, 3.2", "none", "4 sqrt P + 2", "(1 + 1/sqrt P) Lmax", "a4",
     make_plain<make_a4>},
    {"stages", "k or AxB..", "Liu 2002, 5", "none", "2k (P^(1/k) + 2)", "about Lmax",
     "stages:3 stages:3x2 stages:4x", make_multistage<make_stages, make_stages>},
    {"collect", "k or AxB..", "a3 with k levels", "none", "k (P^(1/k) + 2)", "P^(1-1/k) Lmax",
     "collect:3 collect:4x", make_multistage<make_collect, make_collect>},
    {"groups", "S", "Liu 2002, 5", "only senders to receivers", "2 sqrt S + S/sqrt D + 2 sqrt D",
     "Lmax + rounding", "groups groups:1", make_split_groups},
};

}  // namespace

std::span<const AlgorithmEntry> algorithm_registry() { return kRegistry; }

std::unique_ptr<Algorithm> make_algorithm(std::string_view name, Rank ranks, Bytes grain) {
  const std::size_t colon = std::min(name.find(':'), name.size());
  const std::string_view family = name.substr(0, colon);
  const std::string_view parameter = name.substr(std::min(colon + 1, name.size()));
  for (const AlgorithmEntry& entry : kRegistry) {
    if (entry.name == family) return entry.make(ranks, parameter, grain);
  }
  throw Error(ErrorKind::argument,
              fmt::format("there is no algorithm \"{}\"; `shunt algorithms` lists them", name));
}

std::vector<std::string> algorithm_names(Rank ranks) {
  std::vector<std::string> names;
  for (const AlgorithmEntry& entry : kRegistry) {
    std::string_view rest = entry.examples;
    while (!rest.empty()) {
      const std::size_t space = std::min(rest.find(' '), rest.size());
      try {
        names.push_back(make_algorithm(rest.substr(0, space), ranks, 1)->name());
      } catch (const Error&) {
        // The restriction is not met on this number of ranks.
      }
      rest.remove_prefix(std::min(space + 1, rest.size()));
    }
  }
  return names;
}

}  // namespace shunt
