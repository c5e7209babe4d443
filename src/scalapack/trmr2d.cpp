// p?trmr2d in the place of ScaLAPACK's, in all spellings of Fortran compilers and from C.
#include <cctype>

#include <fmt/format.h>

#include "scalapack/matrix_copy.hpp"
#include "scalapack/trapezoid.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// Whether a letter is `yes`, and not `no`, in either case.
bool read_letter(const char* name, char letter, char yes, char no) {
  const int upper = std::toupper(static_cast<unsigned char>(letter));
  if (upper != yes && upper != no) {
    throw Error(ErrorKind::argument,
                fmt::format("{} is '{}'; it is '{}' or '{}'", name, letter, yes, no));
  }
  return upper == yes;
}

void trapezoid_or_abort(const char* routine, char uplo, char diag, const MatrixCopy& copy,
                        const void* from, void* to) {
  or_abort(routine, copy.context, [&] {
    const Trapezoid trapezoid{copy.rows, copy.columns, read_letter("UPLO", uplo, 'U', 'L'),
                              read_letter("DIAG", diag, 'N', 'U')};
    copy_trapezoid(copy, trapezoid, from, to);
  });
}

}  // namespace

}  // namespace shunt

#define SHUNT_TRMR2D_FORTRAN(symbol, letter, element)                                        \
  void symbol(const char* uplo, const char* diag, const int* m, const int* n, const void* a, \
              const int* ia, const int* ja, const shunt::MatrixDescriptor* desca, void* b,   \
              const int* ib, const int* jb, const shunt::MatrixDescriptor* descb,            \
              const int* context) {                                                          \
    if (shunt::is_empty(*m, *n)) return;                                                     \
    shunt::trapezoid_or_abort(                                                               \
        "P" letter "TRMR2D", *uplo, *diag,                                                   \
        {*m, *n, {*ia, *ja, *desca}, {*ib, *jb, *descb}, *context, (element)}, a, b);        \
  }

#define SHUNT_TRMR2D(lower, upper, letter, element)                                               \
  SHUNT_TRMR2D_FORTRAN(p##lower##trmr2d, letter, element)                                         \
  SHUNT_TRMR2D_FORTRAN(p##lower##trmr2d_, letter, element)                                        \
  SHUNT_TRMR2D_FORTRAN(p##lower##trmr2d__, letter, element)                                       \
  SHUNT_TRMR2D_FORTRAN(P##upper##TRMR2D, letter, element)                                         \
  void Cp##lower##trmr2d(const char* uplo, const char* diag, int m, int n, const void* a, int ia, \
                         int ja, const shunt::MatrixDescriptor* desca, void* b, int ib, int jb,   \
                         const shunt::MatrixDescriptor* descb, int context) {                     \
    if (shunt::is_empty(m, n)) return;                                                            \
    shunt::trapezoid_or_abort("P" letter "TRMR2D", *uplo, *diag,                                  \
                              {m, n, {ia, ja, *desca}, {ib, jb, *descb}, context, (element)}, a,  \
                              b);                                                                 \
  }

// With the bytes of an element: integers, single and double precision, and complex of both.
extern "C" {
SHUNT_TRMR2D(i, I, "I", 4)
SHUNT_TRMR2D(s, S, "S", 4)
SHUNT_TRMR2D(d, D, "D", 8)
SHUNT_TRMR2D(c, C, "C", 8)
SHUNT_TRMR2D(z, Z, "Z", 16)
}
