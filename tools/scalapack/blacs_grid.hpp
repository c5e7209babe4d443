// Matrices of doubles on grids of the BLACS.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "scalapack/blacs.hpp"
#include "shunt/array_layout.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names are theirs.
extern "C" {
void Cblacs_gridinit(int* context, const char* order, int rows, int columns);
void Cblacs_gridmap(int* context, int* ranks, int leading, int rows, int columns);
void Cblacs_gridexit(int context);
}
// NOLINTEND(readability-identifier-naming)

namespace shunt::bench {

/// A context. Made by all ranks, also those outside.
class BlacsGrid {
 public:
  /// Makes a grid of ranks 0, 1, .. in row-major order.
  BlacsGrid(int rows, int columns) {
    Cblacs_get(-1, 0, &context_);
    Cblacs_gridinit(&context_, "Row", rows, columns);
    find_place();
  }
  /// Makes a grid of these ranks, in column-major order.
  BlacsGrid(std::vector<int> ranks, int rows) {
    Cblacs_get(-1, 0, &context_);
    Cblacs_gridmap(&context_, ranks.data(), rows, rows, static_cast<int>(ranks.size()) / rows);
    find_place();
  }
  BlacsGrid(const BlacsGrid&) = delete;
  BlacsGrid& operator=(const BlacsGrid&) = delete;
  ~BlacsGrid() {
    if (has_this()) Cblacs_gridexit(context_);
  }

  /// Whether this rank is in it. All below are -1 otherwise.
  [[nodiscard]] bool has_this() const { return row_ >= 0; }
  [[nodiscard]] int context() const { return has_this() ? context_ : -1; }
  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int columns() const { return columns_; }
  [[nodiscard]] int row() const { return row_; }
  [[nodiscard]] int column() const { return column_; }

 private:
  void find_place() {
    if (context_ >= 0) Cblacs_gridinfo(context_, &rows_, &columns_, &row_, &column_);
  }

  int context_ = -1;
  int rows_ = -1;
  int columns_ = -1;
  int row_ = -1;
  int column_ = -1;
};

/// A square matrix in blocks, with this rank's part of it.
class BlacsMatrix {
 public:
  BlacsMatrix(int order, int row_block, int column_block, int rows, int columns)
      : grid(rows, columns),
        layout{{{order, row_block, rows}, {order, column_block, columns}}, {}, Order::column_major},
        part(static_cast<std::size_t>(local_rows() * layout.dimensions[1].count(grid.column()))),
        descriptor{1,
                   grid.context(),
                   order,
                   order,
                   row_block,
                   column_block,
                   0,
                   0,
                   static_cast<int>(std::max(local_rows(), Index{1}))} {}

  /// Gives every element the number of its place in the matrix.
  void fill() {
    for_each([](double& element, double number) { element = number; });
  }
  void clear() {
    for_each([](double& element, double /*number*/) { element = -1; });
  }
  [[nodiscard]] long count_wrong() {
    long wrong = 0;
    for_each([&](double element, double number) { wrong += element == number ? 0 : 1; });
    return wrong;
  }

  BlacsGrid grid;
  ArrayLayout layout;
  std::vector<double> part;
  std::array<int, 9> descriptor;

 private:
  [[nodiscard]] Index local_rows() const { return layout.dimensions[0].count(grid.row()); }

  template <class Visit>
  void for_each(Visit&& visit) {
    const BlockCyclic& rows = layout.dimensions[0];
    const BlockCyclic& columns = layout.dimensions[1];
    for (std::size_t k = 0; k < part.size(); ++k) {
      const auto local = static_cast<Index>(k);
      const Index row = rows.index_at(grid.row(), local % local_rows());
      const Index column = columns.index_at(grid.column(), local / local_rows());
      visit(part[k], static_cast<double>(column * rows.extent + row));
    }
  }
};

}  // namespace shunt::bench
