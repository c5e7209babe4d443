// The array in which an algorithm arranges the nodes of a group (Liu 2002, Section 3.2).
#pragma once

#include "shunt/types.hpp"

namespace shunt {

/// `nodes` nodes in row-major order in `columns` columns. The last row may be incomplete: then the
/// columns from `remainder` on are one node shorter than the others.
class NodeArray {
 public:
  /// The array of Liu 2002, generalised to a group of which `levels` more levels are to be made:
  /// about the levels-th root of `nodes` columns, one fewer where that is needed for the incomplete
  /// row to be no longer than the number of complete rows.
  [[nodiscard]] static NodeArray balanced(Rank nodes, int levels);

  /// Requires 1 <= columns <= nodes.
  NodeArray(Rank nodes, Rank columns);

  [[nodiscard]] Rank nodes() const { return nodes_; }
  [[nodiscard]] Rank columns() const { return columns_; }
  [[nodiscard]] Rank rows() const { return rows_; }
  /// Nodes in the incomplete row; 0 if every row is complete.
  [[nodiscard]] Rank remainder() const { return remainder_; }

  [[nodiscard]] Rank row_of(Rank node) const { return node / columns_; }
  [[nodiscard]] Rank column_of(Rank node) const { return node % columns_; }
  [[nodiscard]] Rank node_at(Rank row, Rank column) const { return row * columns_ + column; }

  [[nodiscard]] bool in_incomplete_row(Rank node) const {
    return remainder_ > 0 && row_of(node) == rows_ - 1;
  }

  /// Nodes in `column`.
  [[nodiscard]] Rank height(Rank column) const {
    return remainder_ == 0 || column < remainder_ ? rows_ : rows_ - 1;
  }

  /// Nodes in the columns before `column`; `column` may be columns().
  [[nodiscard]] Rank nodes_before(Rank column) const {
    return remainder_ == 0 ? column * rows_
                           : column * (rows_ - 1) + (column < remainder_ ? column : remainder_);
  }

  /// The node of `column` to which `node` hands what is meant for that column: the one in its own
  /// row, or, where the incomplete row has none, one that the additional messages are spread over.
  [[nodiscard]] Rank contact(Rank node, Rank column) const {
    const Rank row = row_of(node);
    const Rank height_there = height(column);
    return node_at(row < height_there ? row : column_of(node) % height_there, column);
  }

  /// Nodes whose contact for node's column is `node`, itself included.
  [[nodiscard]] Rank contacted_by(Rank node) const;

  /// True where each node gets at most one additional message, which the priority schedule needs.
  [[nodiscard]] bool fits_priority_schedule() const { return remainder_ <= rows_ - 1; }

 private:
  Rank nodes_;
  Rank columns_;
  Rank rows_;
  Rank remainder_;
};

}  // namespace shunt
