// p?gemr2d and p?trmr2d in the place of ScaLAPACK's, in all spellings of Fortran compilers and from
// C.
#include <algorithm>
#include <cctype>
#include <cstddef>

#include <fmt/format.h>

#include "routing/move_bytes.hpp"
#include "scalapack/matrix_copy.hpp"
#include "shunt/array_layout.hpp"
#include "shunt/element_update.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

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

/// Copies the trapezoid of the matrix that `copy` describes, and leaves alone what is outside.
/// Collective as `copy_matrix` is, several times: for each panel of columns the smallest rectangle
/// is sent that contains its part of the trapezoid, of which an eighth is sent for nothing.
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

/// Whether a letter is `yes`, and not `no`, in either case.
bool read_letter(const char* name, char letter, char yes, char no) {
  const int upper = std::toupper(static_cast<unsigned char>(letter));
  if (upper != yes && upper != no) {
    throw Error(ErrorKind::argument,
                fmt::format("{} is '{}'; it is '{}' or '{}'", name, letter, yes, no));
  }
  return upper == yes;
}

void copy_or_abort(const char* routine, const MatrixCopy& copy, const void* from, void* to) {
  or_abort(routine, copy.context, [&] { copy_matrix(copy, from, to); });
}

void copy_or_abort(const char* routine, const MatrixCopy& copy, const void* from, void* to,
                   char uplo, char diag) {
  or_abort(routine, copy.context, [&] {
    const Trapezoid trapezoid{copy.rows, copy.columns, read_letter("UPLO", uplo, 'U', 'L'),
                              read_letter("DIAG", diag, 'N', 'U')};
    copy_trapezoid(copy, trapezoid, from, to);
  });
}

}  // namespace

}  // namespace shunt

#define SHUNT_UNPACK(...) __VA_ARGS__

#define SHUNT_MR2D_FORTRAN(symbol, routine, element, parameters, arguments)                     \
  void symbol(SHUNT_UNPACK parameters const int* m, const int* n, const void* a, const int* ia, \
              const int* ja, const shunt::MatrixDescriptor* desca, void* b, const int* ib,      \
              const int* jb, const shunt::MatrixDescriptor* descb, const int* context) {        \
    if (shunt::is_empty(*m, *n)) return;                                                        \
    shunt::copy_or_abort(routine,                                                               \
                         {*m, *n, {*ia, *ja, *desca}, {*ib, *jb, *descb}, *context, (element)}, \
                         SHUNT_UNPACK arguments);                                               \
  }

#define SHUNT_MR2D(lower, upper, routine, element, parameters, arguments)                         \
  SHUNT_MR2D_FORTRAN(p##lower##mr2d, routine, element, parameters, arguments)                     \
  SHUNT_MR2D_FORTRAN(p##lower##mr2d_, routine, element, parameters, arguments)                    \
  SHUNT_MR2D_FORTRAN(p##lower##mr2d__, routine, element, parameters, arguments)                   \
  SHUNT_MR2D_FORTRAN(P##upper##MR2D, routine, element, parameters, arguments)                     \
  void Cp##lower##mr2d(SHUNT_UNPACK parameters int m, int n, const void* a, int ia, int ja,       \
                       const shunt::MatrixDescriptor* desca, void* b, int ib, int jb,             \
                       const shunt::MatrixDescriptor* descb, int context) {                       \
    if (shunt::is_empty(m, n)) return;                                                            \
    shunt::copy_or_abort(routine, {m, n, {ia, ja, *desca}, {ib, jb, *descb}, context, (element)}, \
                         SHUNT_UNPACK arguments);                                                 \
  }

#define SHUNT_GEMR2D(lower, upper, letter, element) \
  SHUNT_MR2D(lower##ge, upper##GE, "P" letter "GEMR2D", element, (), (a, b))

#define SHUNT_TRMR2D(lower, upper, letter, element)              \
  SHUNT_MR2D(lower##tr, upper##TR, "P" letter "TRMR2D", element, \
             (const char* uplo, const char* diag, ), (a, b, *uplo, *diag))

/// With the bytes of an element: integers, single and double precision, and complex of both.
#define SHUNT_EACH_ELEMENT(routine)                                                       \
  routine(i, I, "I", 4) routine(s, S, "S", 4) routine(d, D, "D", 8) routine(c, C, "C", 8) \
      routine(z, Z, "Z", 16)

extern "C" {
SHUNT_EACH_ELEMENT(SHUNT_GEMR2D)
SHUNT_EACH_ELEMENT(SHUNT_TRMR2D)
}
