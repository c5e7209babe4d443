#include "scalapack/trapezoid.hpp"

#include <cstddef>

#include "routing/move_bytes.hpp"
#include "shunt/array_layout.hpp"
#include "shunt/element_update.hpp"

namespace shunt {

namespace {

constexpr int kPanels = 8;
/// With fewer columns a panel costs more than what it saves.
constexpr int kLeastColumns = 64;

/// Copies what lies within the trapezoid into the part that this process has of a matrix.
class Clip {
 public:
  Clip(const MatrixCopy& copy, const Trapezoid& trapezoid, void* to)
      : trapezoid_(trapezoid), part_(copy.to), element_(copy.element), to_(to) {
    const MatrixDescriptor& matrix = part_.descriptor;
    place_ = place_in(matrix.context);
    rows_ = {matrix.rows, matrix.row_block, place_.rows, matrix.first_row};
    columns_ = {matrix.columns, matrix.column_block, place_.columns, matrix.first_column};
  }

  /// `count` elements of one column of the local array.
  void operator()(std::byte* there, const std::byte* arrived, Index count) const {
    const Index index = (there - static_cast<std::byte*>(to_)) / element_;
    const Index local_column = index / part_.descriptor.leading;
    Index local_row = index % part_.descriptor.leading;
    const auto column =
        static_cast<int>(columns_.index_at(place_.column, local_column)) + 1 - part_.column;
    while (count > 0) {
      // What follows in memory may be of another block.
      const Index some = std::min(count, rows_.block - local_row % rows_.block);
      const Index row = rows_.index_at(place_.row, local_row) + 1 - part_.row;
      const Index skipped = std::clamp<Index>(trapezoid_.begin(column) - row, 0, some);
      const Index end = std::clamp<Index>(trapezoid_.end(column) - row, skipped, some);
      move_bytes(there + skipped * element_, arrived + skipped * element_,
                 (end - skipped) * element_);
      there += some * element_;
      arrived += some * element_;
      local_row += some;
      count -= some;
    }
  }

 private:
  Trapezoid trapezoid_;
  MatrixPart part_;
  Bytes element_;
  void* to_;
  GridPlace place_;
  BlockCyclic rows_{};
  BlockCyclic columns_{};
};

/// The rectangle of `rows` and `columns` from there on.
MatrixCopy rectangle(MatrixCopy copy, int row, int rows, int column, int columns) {
  copy.rows = rows;
  copy.columns = columns;
  for (MatrixPart* part : {&copy.from, &copy.to}) {
    part->row += row;
    part->column += column;
  }
  return copy;
}

}  // namespace

void copy_trapezoid(const MatrixCopy& copy, const Trapezoid& trapezoid, const void* from,
                    void* to) {
  const Clip clip(copy, trapezoid, to);
  const ElementUpdate update = [&clip](std::byte* there, Bytes /*stride*/, const std::byte* arrived,
                                       Index count) { clip(there, arrived, count); };
  const int panels = std::clamp(copy.columns / kLeastColumns, 1, kPanels);
  for (int panel = 0; panel < panels; ++panel) {
    const auto bound = [&](int k) { return static_cast<int>(Index{copy.columns} * k / panels); };
    const int first = bound(panel);
    const int last = bound(panel + 1) - 1;
    const int begin = first <= last ? trapezoid.begin(first) : 0;
    const int end = first <= last ? std::max(trapezoid.end(last), begin) : 0;
    copy_matrix(rectangle(copy, begin, end - begin, first, last + 1 - first), from, to, update);
  }
}

}  // namespace shunt
