// The trapezoid of a matrix that ScaLAPACK's p?trmr2d copies.
#pragma once

#include <algorithm>

#include "scalapack/matrix_copy.hpp"

namespace shunt {

/// A triangle of a matrix and the rectangle that is left: above an upper triangle where there are
/// more rows than columns, to the left of a lower one where there are more columns than rows. Both
/// have the diagonal that ends in the last row and the last column then.
struct Trapezoid {
  int rows;
  int columns;
  bool upper;
  bool with_diagonal;

  /// Rows `begin` to `end` - 1 of a column, which grow with the column.
  [[nodiscard]] int begin(int column) const {
    if (upper) return 0;
    const int first = column - std::max(columns - rows, 0) + (with_diagonal ? 0 : 1);
    return std::clamp(first, 0, rows);
  }
  [[nodiscard]] int end(int column) const {
    if (!upper) return rows;
    return std::min(std::max(rows - columns, 0) + column + (with_diagonal ? 1 : 0), rows);
  }
};

/// Copies the trapezoid of the matrix that `copy` describes, and leaves alone what is outside.
/// Collective as `copy_matrix` is, several times: for each panel of columns the smallest rectangle
/// is sent that contains its part of the trapezoid, of which an eighth is sent for nothing.
void copy_trapezoid(const MatrixCopy& copy, const Trapezoid& trapezoid, const void* from, void* to);

}  // namespace shunt
