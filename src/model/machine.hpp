// What a traffic runs on: ranks, the nodes that hold them, and arrays that they may form.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// The extents of an array of ranks (R x C, or a torus of any dimension), numbered in row-major
/// order: the last coordinate varies fastest.
class Extents {
 public:
  /// Throws Error(argument) unless there is an extent, all are positive, and their product is a
  /// number of ranks.
  explicit Extents(std::vector<Rank> extents);

  /// From text: "4x4x2".
  [[nodiscard]] static Extents parse(std::string_view text);

  /// Two extents, both multiples of `multiple`, as near to a square as they can be, the shorter
  /// first; a single one where that is 1. Throws Error(argument) where no such array has `ranks`
  /// ranks.
  [[nodiscard]] static Extents nearly_square(Rank ranks, Rank multiple);

  [[nodiscard]] Rank ranks() const { return ranks_; }
  [[nodiscard]] int dimensions() const { return static_cast<int>(extents_.size()); }
  [[nodiscard]] Rank extent(int dimension) const {
    return extents_[static_cast<std::size_t>(dimension)];
  }

  [[nodiscard]] std::vector<Rank> coordinates(Rank rank) const;
  [[nodiscard]] Rank coordinate(Rank rank, int dimension) const {
    return rank / stride(dimension) % extent(dimension);
  }
  [[nodiscard]] Rank rank_at(std::span<const Rank> coordinates) const;

  /// The rank that lies `distance` (of either sign) further along `dimension`, cyclically.
  [[nodiscard]] Rank neighbour(Rank rank, int dimension, Rank distance) const;

  /// How far `to` lies ahead of `from` along `dimension`, cyclically: 0 to extent - 1.
  [[nodiscard]] Rank ahead(Rank from, Rank to, int dimension) const;

  [[nodiscard]] std::string name() const;

  friend bool operator==(const Extents&, const Extents&) = default;

 private:
  [[nodiscard]] Rank stride(int dimension) const {
    return strides_[static_cast<std::size_t>(dimension)];
  }

  std::vector<Rank> extents_;
  std::vector<Rank> strides_;  ///< by dimension: between the ranks of neighbours
  Rank ranks_ = 1;
};

/// Ranks on nodes; nodes are numbered from 0, and none is empty. Costs O(ranks) memory.
class Machine {
 public:
  /// Rank r is on node node_of[r].
  explicit Machine(std::vector<Rank> node_of);

  /// Node n has the next sizes[n] ranks.
  [[nodiscard]] static Machine of_sizes(std::span<const Rank> sizes);

  /// Each node has the next `per_node` ranks; the last one has what is left.
  [[nodiscard]] static Machine blocked(Rank ranks, Rank per_node);

  /// Rank r is on node r mod `nodes`; there are no more nodes than ranks.
  [[nodiscard]] static Machine round_robin(Rank ranks, Rank nodes);

  /// Ranks of equal labels, which may be any numbers, share a node. Nodes are numbered in the order
  /// of their first ranks.
  [[nodiscard]] static Machine of_labels(std::span<const Rank> labels);

  /// From text: "blocked:16", "round-robin:4", or the nodes' sizes "4,4,2".
  /// Throws Error(argument) where it is none of these or makes another number of ranks; and where
  /// no number is given and the text does not say it, as sizes do.
  [[nodiscard]] static Machine parse(std::string_view text, std::optional<Rank> ranks);

  [[nodiscard]] Rank ranks() const { return static_cast<Rank>(node_of_.size()); }
  [[nodiscard]] Rank nodes() const { return static_cast<Rank>(first_.size()) - 1; }
  [[nodiscard]] Rank node_of(Rank rank) const { return node_of_[static_cast<std::size_t>(rank)]; }

  /// The ranks of a node, ascending.
  [[nodiscard]] std::span<const Rank> ranks_of(Rank node) const;

  [[nodiscard]] Rank size_of(Rank node) const {
    return first_[static_cast<std::size_t>(node) + 1] - first_[static_cast<std::size_t>(node)];
  }

  /// The first node of the most ranks, and the first of the fewest: O(nodes).
  [[nodiscard]] Rank largest_node() const;
  [[nodiscard]] Rank smallest_node() const;

  /// How often one comes to another node on the way from rank to rank, and from the last one to the
  /// first: O(ranks).
  [[nodiscard]] Rank crossings() const;

  /// The place of a rank among the ranks of its node.
  [[nodiscard]] Rank place_in_node(Rank rank) const;

  friend bool operator==(const Machine&, const Machine&) = default;

 private:
  std::vector<Rank> node_of_;  ///< by rank
  std::vector<Rank> first_;    ///< by node: where its ranks begin in `by_node_`; and the end
  std::vector<Rank> by_node_;  ///< ranks, node after node
};

}  // namespace shunt
