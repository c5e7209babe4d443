#include "schedule/node_array.hpp"

#include <cmath>

#include <fmt/format.h>

#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Smallest c with c^levels >= nodes.
Rank root_rounded_up(Rank nodes, int levels) {
  auto power_reaches = [&](std::int64_t base) {
    std::int64_t power = 1;
    for (int i = 0; i < levels && power < nodes; ++i) power *= base;
    return power >= nodes;
  };
  auto root = static_cast<std::int64_t>(std::pow(static_cast<double>(nodes), 1.0 / levels));
  while (root > 1 && power_reaches(root - 1)) --root;
  while (!power_reaches(root)) ++root;
  return static_cast<Rank>(root);
}

}  // namespace

NodeArray::NodeArray(Rank nodes, Rank columns) : nodes_(nodes), columns_(columns) {
  if (columns < 1 || columns > nodes) {
    throw Error(ErrorKind::argument, fmt::format("an array of {} nodes has 1 to {} columns, not {}",
                                                 nodes, nodes, columns));
  }
  rows_ = (nodes - 1) / columns + 1;
  remainder_ = nodes % columns;
}

NodeArray NodeArray::balanced(Rank nodes, int levels) {
  if (levels <= 1) return {nodes, nodes};
  const Rank columns = root_rounded_up(nodes, levels);
  const NodeArray array(nodes, columns);
  if (array.fits_priority_schedule() || columns == 1) return array;
  return {nodes, columns - 1};
}

Rank NodeArray::contacted_by(Rank node) const {
  if (in_incomplete_row(node)) return remainder_;
  const Rank column = column_of(node);
  if (remainder_ == 0 || column < remainder_) return columns_;
  const Rank complete_rows = rows_ - 1;
  const Rank row = row_of(node);
  const Rank additional = row < remainder_ ? (remainder_ - row - 1) / complete_rows + 1 : 0;
  return columns_ + additional;
}

}  // namespace shunt
