// Disjoint lines of ranks, along each of which a phase of an all-gather runs.
#pragma once

#include <vector>

#include "model/machine.hpp"
#include "shunt/types.hpp"

namespace shunt {

using RankLists = std::vector<std::vector<Rank>>;

[[nodiscard]] RankLists ranks_by_node(const Machine& machine);

/// Every rank is on one line, maybe alone. Costs O(ranks) memory.
class Lines {
 public:
  /// Makes a line of each list of ranks; each other rank is alone on one.
  Lines(Rank ranks, const RankLists& lines);

  /// One line of all ranks, in their order.
  [[nodiscard]] static Lines row_major(Rank ranks);

  /// The number of ranks on the line of `rank`.
  [[nodiscard]] Rank size(Rank rank) const { return size_[index_of(rank)]; }
  /// The place of `rank` on its line, from 0.
  [[nodiscard]] Rank place(Rank rank) const { return place_[index_of(rank)]; }
  /// The rank at `place` on the line of `rank`.
  [[nodiscard]] Rank rank_at(Rank rank, Rank place) const {
    return order_[index_of(begin_[index_of(rank)] + place)];
  }
  /// The sizes that lines have, each once, ascending.
  [[nodiscard]] const std::vector<Rank>& sizes() const { return sizes_; }
  [[nodiscard]] Rank longest() const { return sizes_.back(); }

 private:
  void add(const std::vector<Rank>& line);

  std::vector<Rank> order_;  ///< line after line
  std::vector<Rank> begin_;  ///< by rank: where its line begins in `order_`
  std::vector<Rank> size_;   ///< by rank
  std::vector<Rank> place_;  ///< by rank
  std::vector<Rank> sizes_;
};

}  // namespace shunt
