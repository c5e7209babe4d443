// Which ranks have a block for all ranks: the counts of an MPI_Allgatherv.
#pragma once

#include <span>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// What the blocks of an all-gather come to.
struct SourceTotals {
  Bytes bytes = 0;
  Rank sources = 0;        ///< blocks that are not empty
  Rank longest = kNoRank;  ///< the first source with the longest block; kNoRank: there is no source
  Bytes longest_length = 0;  ///< bytes of that block
};

/// Returns the totals of blocks of these lengths, by rank. Throws Error(count) where a length is
/// negative or their sum does not fit into 64 bits.
[[nodiscard]] SourceTotals totals_of(std::span<const Bytes> lengths);

/// The ranks of an all-gather, and the block that each of them has for all others. A rank whose
/// block is empty is no source. Costs O(ranks) memory.
class Sources {
 public:
  /// The lengths of the blocks in bytes, by rank. Throws like `totals_of`.
  explicit Sources(std::vector<Bytes> lengths);

  [[nodiscard]] Rank ranks() const { return static_cast<Rank>(lengths_.size()); }
  [[nodiscard]] Bytes length(Rank rank) const { return lengths_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] bool is_source(Rank rank) const { return length(rank) > 0; }

  /// The sources, ascending.
  [[nodiscard]] std::span<const Rank> list() const { return list_; }
  [[nodiscard]] Rank count() const { return totals_.sources; }

  [[nodiscard]] const std::vector<Bytes>& lengths() const { return lengths_; }
  [[nodiscard]] Bytes total() const { return totals_.bytes; }
  [[nodiscard]] const SourceTotals& totals() const { return totals_; }

  /// The first source with the longest block; kNoRank where there is no source.
  [[nodiscard]] Rank longest() const { return totals_.longest; }

 private:
  std::vector<Bytes> lengths_;
  SourceTotals totals_;
  std::vector<Rank> list_;
};

}  // namespace shunt
