// Who has a block for everyone: the counts of an MPI_Allgatherv.
#pragma once

#include <span>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// The ranks of a broadcast, and the block that each of them has for all others. A rank whose block
/// is empty is no source. Costs O(ranks) memory.
class Sources {
 public:
  /// The lengths of the blocks in bytes, by rank. Throws Error(count) where a length is negative or
  /// their sum does not fit into 64 bits.
  explicit Sources(std::vector<Bytes> lengths);

  /// Blocks of `length` bytes on `sources`, which may come in any order. Throws Error(rank) where
  /// one lies outside of 0..ranks-1, and otherwise as above.
  [[nodiscard]] static Sources equal(Rank ranks, std::span<const Rank> sources, Bytes length);

  [[nodiscard]] Rank ranks() const { return static_cast<Rank>(lengths_.size()); }
  [[nodiscard]] Bytes length(Rank rank) const { return lengths_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] bool is_source(Rank rank) const { return length(rank) > 0; }

  /// The sources, ascending.
  [[nodiscard]] std::span<const Rank> list() const { return list_; }
  [[nodiscard]] Rank count() const { return static_cast<Rank>(list_.size()); }

  [[nodiscard]] const std::vector<Bytes>& lengths() const { return lengths_; }
  [[nodiscard]] Bytes total() const { return total_; }

  /// The first source with the longest block; kNoRank where there is no source.
  [[nodiscard]] Rank longest() const { return longest_; }

 private:
  std::vector<Bytes> lengths_;
  std::vector<Rank> list_;
  Bytes total_ = 0;
  Rank longest_ = kNoRank;
};

}  // namespace shunt
