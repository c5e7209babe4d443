// Which ranks are alike, so that following one of them is following all.
#pragma once

#include <optional>

#include "algorithms/algorithm.hpp"

namespace shunt {

/// The ranks that shifts carry to each other form a class; without shifts every rank is one.
class RankClasses {
 public:
  explicit RankClasses(Rank ranks) : ranks_(ranks), count_(ranks) {}

  explicit RankClasses(const Symmetry& symmetry);

  [[nodiscard]] Rank ranks() const { return ranks_; }
  [[nodiscard]] Rank count() const { return count_; }
  [[nodiscard]] Rank class_of(Rank rank) const { return symmetry_ ? place_of(rank) : rank; }

  /// The array that the ranks are shifted along, if there is one.
  [[nodiscard]] const Extents* array() const { return symmetry_ ? &symmetry_->array : nullptr; }

  /// The rank that stands for its class: that with the least coordinates.
  [[nodiscard]] Rank representative(Rank number) const;

  /// Where `rank` comes to lie by the shift that takes `from` to its representative.
  [[nodiscard]] Rank shifted(Rank rank, Rank from) const;

 private:
  [[nodiscard]] Rank place_of(Rank rank) const;

  Rank ranks_;
  Rank count_;
  std::optional<Symmetry> symmetry_;
};

}  // namespace shunt
