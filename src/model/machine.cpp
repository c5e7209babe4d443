#include "model/machine.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <ranges>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "model/parse.hpp"
#include "shunt/error.hpp"

namespace shunt {
namespace {

/// Throws Error(argument) unless `value` is a positive number of ranks or nodes.
void require_positive(const char* what, Rank value) {
  if (value < 1) {
    throw Error(ErrorKind::argument,
                fmt::format("the {} is {}, but must be 1 or more", what, value));
  }
}

Rank parse_positive(std::string_view word, std::string_view text, const char* rule) {
  const auto value = parse_number<Rank>(word);
  if (!value || *value < 1) {
    throw Error(ErrorKind::argument,
                fmt::format("\"{}\" in \"{}\" is not understood; it must be {}", word, text, rule));
  }
  return *value;
}

std::vector<Rank> parse_list(std::string_view text, char separator, const char* rule) {
  std::vector<Rank> values;
  std::string_view rest = text;
  for (bool more = true; more;) {
    more = rest.find(separator) != std::string_view::npos;
    values.push_back(parse_positive(take_until(separator, rest), text, rule));
  }
  return values;
}

}  // namespace

Extents::Extents(std::vector<Rank> extents) : extents_(std::move(extents)) {
  if (extents_.empty()) throw Error(ErrorKind::argument, "an array must have an extent or more");
  std::int64_t product = 1;
  for (const Rank extent : extents_) {
    require_positive("extent of an array", extent);
    product *= extent;
    if (product > INT32_MAX) {
      throw Error(
          ErrorKind::argument,
          fmt::format("the array {} must have 2147483647 ranks at most", fmt::join(extents_, "x")));
    }
  }
  ranks_ = static_cast<Rank>(product);
  strides_.resize(extents_.size());
  std::exclusive_scan(extents_.rbegin(), extents_.rend(), strides_.rbegin(), Rank{1},
                      std::multiplies<>());
}

Extents Extents::parse(std::string_view text) {
  return Extents(parse_list(text, 'x', "positive extents, as 4x4x2"));
}

Extents Extents::nearly_square(Rank ranks, Rank multiple) {
  require_positive("number of ranks", ranks);
  const std::int64_t unit = std::int64_t{multiple} * multiple;
  if (ranks % unit != 0) {
    throw Error(ErrorKind::argument,
                fmt::format("no array of two extents that are multiples of {} has {} ranks",
                            multiple, ranks));
  }
  const auto units = static_cast<Rank>(ranks / unit);
  Rank shorter = 1;
  for (Rank factor = 1; factor <= units / factor; ++factor) {
    if (units % factor == 0) shorter = factor;
  }
  const Rank longer = units / shorter * multiple;
  shorter *= multiple;
  return Extents(shorter == 1 ? std::vector{longer} : std::vector{shorter, longer});
}

std::vector<Rank> Extents::coordinates(Rank rank) const {
  std::vector<Rank> result;
  for (int dimension = 0; dimension < dimensions(); ++dimension) {
    result.push_back(coordinate(rank, dimension));
  }
  return result;
}

Rank Extents::rank_at(std::span<const Rank> coordinates) const {
  Rank rank = 0;
  for (std::size_t dimension = 0; dimension < extents_.size(); ++dimension) {
    rank = rank * extents_[dimension] + coordinates[dimension];
  }
  return rank;
}

Rank Extents::neighbour(Rank rank, int dimension, Rank distance) const {
  const std::int64_t size = extent(dimension);
  const Rank along = coordinate(rank, dimension);
  const auto there = static_cast<Rank>(((along + std::int64_t{distance}) % size + size) % size);
  return rank + (there - along) * stride(dimension);
}

Rank Extents::ahead(Rank from, Rank to, int dimension) const {
  const Rank difference = coordinate(to, dimension) - coordinate(from, dimension);
  return difference < 0 ? difference + extent(dimension) : difference;
}

std::string Extents::name() const { return fmt::format("{}", fmt::join(extents_, "x")); }

Machine::Machine(std::vector<Rank> node_of) : node_of_(std::move(node_of)) {
  require_positive("number of ranks of a machine", ranks());
  // A node number of ranks() or more leaves some node empty, so it need not be counted.
  first_.resize(node_of_.size() + 1);
  for (const Rank node : node_of_) {
    if (node < 0 || node >= ranks()) {
      throw Error(ErrorKind::argument,
                  fmt::format("a rank is on node {}, but {} ranks must be on nodes 0 to at most {}",
                              node, ranks(), ranks() - 1));
    }
    ++first_[index_of(node) + 1];
  }
  first_.resize(index_of(std::ranges::max(node_of_)) + 2);
  const auto empty = std::find(first_.begin() + 1, first_.end(), 0);
  if (empty != first_.end()) {
    throw Error(ErrorKind::argument,
                fmt::format("node {} has no rank, but every node must have one",
                            empty - first_.begin() - 1));
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  by_node_.resize(node_of_.size());
  std::vector<Rank> next(first_);
  for (Rank rank = 0; rank < ranks(); ++rank) {
    by_node_[index_of(next[index_of(node_of_[index_of(rank)])]++)] = rank;
  }
}

Machine Machine::of_sizes(std::span<const Rank> sizes) {
  std::int64_t ranks = 0;
  for (const Rank size : sizes) {
    require_positive("size of a node", size);
    ranks += size;
  }
  if (ranks > INT32_MAX) {
    throw Error(ErrorKind::argument,
                fmt::format("the nodes have {} ranks, but must have at most {}", ranks, INT32_MAX));
  }
  std::vector<Rank> node_of;
  node_of.reserve(static_cast<std::size_t>(ranks));
  for (std::size_t node = 0; node < sizes.size(); ++node) {
    node_of.insert(node_of.end(), index_of(sizes[node]), static_cast<Rank>(node));
  }
  return Machine(std::move(node_of));
}

Machine Machine::blocked(Rank ranks, Rank per_node) {
  require_positive("number of ranks of a machine", ranks);
  require_positive("number of ranks of a node", per_node);
  std::vector<Rank> node_of(index_of(ranks));
  for (Rank rank = 0; rank < ranks; ++rank) node_of[index_of(rank)] = rank / per_node;
  return Machine(std::move(node_of));
}

Machine Machine::round_robin(Rank ranks, Rank nodes) {
  require_positive("number of ranks of a machine", ranks);
  require_positive("number of nodes", nodes);
  std::vector<Rank> node_of(index_of(ranks));
  for (Rank rank = 0; rank < ranks; ++rank) node_of[index_of(rank)] = rank % nodes;
  return Machine(std::move(node_of));
}

Machine Machine::of_labels(std::span<const Rank> labels) {
  std::unordered_map<Rank, Rank> node_of_label;
  std::vector<Rank> node_of;
  node_of.reserve(labels.size());
  for (const Rank label : labels) {
    const auto next = static_cast<Rank>(node_of_label.size());
    node_of.push_back(node_of_label.try_emplace(label, next).first->second);
  }
  return Machine(std::move(node_of));
}

Machine Machine::parse(std::string_view text, std::optional<Rank> ranks) {
  constexpr const char* kRule = "a positive number, as in blocked:16, round-robin:4 or 4,4,2";
  std::string_view rest = text;
  if (text.find(':') != std::string_view::npos) {
    const std::string_view kind = take_until(':', rest);
    if (kind != "blocked" && kind != "round-robin") {
      throw Error(
          ErrorKind::argument,
          fmt::format("the nodes \"{}\" must be given as blocked:16, round-robin:4 or 4,4,2",
                      text));
    }
    if (!ranks) {
      throw Error(ErrorKind::argument,
                  fmt::format("the nodes \"{}\" do not say how many ranks there are", text));
    }
    const Rank number = parse_positive(rest, text, kRule);
    return kind == "blocked" ? blocked(*ranks, number) : round_robin(*ranks, number);
  }
  const std::vector<Rank> sizes = parse_list(text, ',', kRule);
  // Checked first, so that a slip of the pen in a size costs no memory.
  const std::int64_t sum = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  if (ranks && sum != *ranks) {
    throw Error(ErrorKind::argument,
                fmt::format("the nodes \"{}\" have {} ranks, but must have {}", text, sum, *ranks));
  }
  return of_sizes(sizes);
}

std::span<const Rank> Machine::ranks_of(Rank node) const {
  const Rank first = first_[index_of(node)];
  return std::span(by_node_).subspan(index_of(first), index_of(first_[index_of(node) + 1] - first));
}

Rank Machine::largest_node() const {
  return std::ranges::max(std::views::iota(Rank{0}, nodes()), {},
                          std::bind_front(&Machine::size_of, this));
}

Rank Machine::smallest_node() const {
  return std::ranges::min(std::views::iota(Rank{0}, nodes()), {},
                          std::bind_front(&Machine::size_of, this));
}

Rank Machine::crossings() const {
  Rank crossings = 0;
  for (Rank rank = 0; rank < ranks(); ++rank) {
    crossings += node_of(rank) != node_of((rank + 1) % ranks()) ? 1 : 0;
  }
  return crossings;
}

Rank Machine::place_in_node(Rank rank) const {
  const auto ranks = ranks_of(node_of(rank));
  return static_cast<Rank>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
}

}  // namespace shunt
