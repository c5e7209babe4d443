#include "lab/flow/rank_classes.hpp"

#include <vector>

namespace shunt {

RankClasses::RankClasses(const Symmetry& symmetry)
    : ranks_(symmetry.array.ranks()), count_(1), symmetry_(symmetry) {
  for (int d = 0; d < symmetry.array.dimensions(); ++d) count_ *= symmetry.period;
}

Rank RankClasses::representative(Rank number) const {
  if (!symmetry_) return number;
  const int dimensions = symmetry_->array.dimensions();
  std::vector<Rank> coordinates(static_cast<std::size_t>(dimensions));
  for (int d = dimensions - 1; d >= 0; --d) {
    coordinates[static_cast<std::size_t>(d)] = number % symmetry_->period;
    number /= symmetry_->period;
  }
  return symmetry_->array.rank_at(coordinates);
}

Rank RankClasses::shifted(Rank rank, Rank from) const {
  if (!symmetry_) return rank;
  const Extents& array = symmetry_->array;
  Rank place = 0;
  for (int d = 0; d < array.dimensions(); ++d) {
    const Rank coordinate = array.coordinate(from, d);
    const Rank shift = coordinate - coordinate % symmetry_->period;
    const Rank moved = array.coordinate(rank, d) - shift;
    place = place * array.extent(d) + (moved < 0 ? moved + array.extent(d) : moved);
  }
  return place;
}

Rank RankClasses::place_of(Rank rank) const {
  const Extents& array = symmetry_->array;
  Rank place = 0;
  for (int d = 0; d < array.dimensions(); ++d) {
    place = place * symmetry_->period + array.coordinate(rank, d) % symmetry_->period;
  }
  return place;
}

}  // namespace shunt
