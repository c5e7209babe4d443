// Square matrices over a grid of ranks, of which every element says where it belongs.
#pragma once

#include <vector>

#include "model/array_layout.hpp"
#include "mpi/block_case.hpp"
#include "shunt/array_layout.hpp"

namespace shunt::test {

/// A square matrix of doubles, each of which is the number of its place.
class Matrix {
 public:
  Matrix(Index order, Index block, Rank rows, Rank columns)
      : layout{{{order, block, rows}, {order, block, columns}}, {}, Order::column_major} {
    const auto place = place_of(layout, world_rank());
    if (!place) return;
    extents_ = local_extents(layout, *place);
    place_ = *place;
    part.assign(static_cast<std::size_t>(extents_[0] * extents_[1]), -1);
  }

  template <class Visit>
  void for_each(Visit&& visit) {
    for (Index j = 0; j < extents_[1]; ++j) {
      const Index column = layout.dimensions[1].index_at(place_[1], j);
      for (Index i = 0; i < extents_[0]; ++i) {
        const Index row = layout.dimensions[0].index_at(place_[0], i);
        visit(part[static_cast<std::size_t>(j * extents_[0] + i)],
              static_cast<double>(column * layout.dimensions[0].extent + row));
      }
    }
  }
  void fill() {
    for_each([](double& element, double value) { element = value; });
  }
  [[nodiscard]] Index count_wrong() {
    Index wrong = 0;
    for_each([&](double element, double value) { wrong += element == value ? 0 : 1; });
    return wrong;
  }

  ArrayLayout layout;
  std::vector<double> part;

 private:
  std::vector<Index> extents_{0, 0};
  Place place_{0, 0};
};

/// Rows of the grid of all ranks that is nearest to a square.
[[nodiscard]] inline Rank square_rows() {
  Rank rows = 1;
  for (Rank k = 1; k * k <= world_size(); ++k) {
    if (world_size() % k == 0) rows = k;
  }
  return rows;
}

}  // namespace shunt::test
