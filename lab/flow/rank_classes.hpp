// Which ranks do the same, so that it is enough to follow one of them.
#pragma once

#include <optional>

#include "algorithms/algorithm.hpp"

namespace shunt {

/// Classes of ranks: those that shifts carry to each other. Without shifts every rank is a class.
class RankClasses {
 public:
  explicit RankClasses(Rank ranks) : ranks_(ranks), count_(ranks) {}

  explicit RankClasses(const Symmetry& symmetry);

  [[nodiscard]] Rank ranks() const { return ranks_; }
  [[nodiscard]] Rank count() const { return count_; }
  [[nodiscard]] Rank class_of(Rank rank) const { return symmetry_ ? place_of(rank) : rank; }

  /// The array that the ranks are shifted along, if there is one.
  [[nodiscard]] const Extents* array() const { return symmetry_ ? &symmetry_->array : nullptr; }

  /// Returns the representative of class `number`: its rank with the least coordinates.
  [[nodiscard]] Rank representative(Rank number) const;

  /// Returns the rank to which the shift that takes `from` to its representative takes `rank`.
  [[nodiscard]] Rank shifted(Rank rank, Rank from) const;

 private:
  [[nodiscard]] Rank place_of(Rank rank) const;

  Rank ranks_;
  Rank count_;
  std::optional<Symmetry> symmetry_;
};

}  // namespace shunt
