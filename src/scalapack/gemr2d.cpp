// p?gemr2d in the place of ScaLAPACK's, in all spellings of Fortran compilers and from C.
#include "scalapack/matrix_copy.hpp"

namespace shunt {

namespace {

void copy_or_abort(const char* routine, const MatrixCopy& copy, const void* from, void* to) {
  or_abort(routine, copy.context, [&] { copy_matrix(copy, from, to); });
}

}  // namespace

}  // namespace shunt

#define SHUNT_GEMR2D_FORTRAN(symbol, letter, element)                                              \
  void symbol(const int* m, const int* n, const void* a, const int* ia, const int* ja,             \
              const shunt::MatrixDescriptor* desca, void* b, const int* ib, const int* jb,         \
              const shunt::MatrixDescriptor* descb, const int* context) {                          \
    if (shunt::is_empty(*m, *n)) return;                                                           \
    shunt::copy_or_abort("P" letter "GEMR2D",                                                      \
                         {*m, *n, {*ia, *ja, *desca}, {*ib, *jb, *descb}, *context, (element)}, a, \
                         b);                                                                       \
  }

#define SHUNT_GEMR2D(lower, upper, letter, element)                                             \
  SHUNT_GEMR2D_FORTRAN(p##lower##gemr2d, letter, element)                                       \
  SHUNT_GEMR2D_FORTRAN(p##lower##gemr2d_, letter, element)                                      \
  SHUNT_GEMR2D_FORTRAN(p##lower##gemr2d__, letter, element)                                     \
  SHUNT_GEMR2D_FORTRAN(P##upper##GEMR2D, letter, element)                                       \
  void Cp##lower##gemr2d(int m, int n, const void* a, int ia, int ja,                           \
                         const shunt::MatrixDescriptor* desca, void* b, int ib, int jb,         \
                         const shunt::MatrixDescriptor* descb, int context) {                   \
    if (shunt::is_empty(m, n)) return;                                                          \
    shunt::copy_or_abort("P" letter "GEMR2D",                                                   \
                         {m, n, {ia, ja, *desca}, {ib, jb, *descb}, context, (element)}, a, b); \
  }

// With the bytes of an element: integers, single and double precision, and complex of both.
extern "C" {
SHUNT_GEMR2D(i, I, "I", 4)
SHUNT_GEMR2D(s, S, "S", 4)
SHUNT_GEMR2D(d, D, "D", 8)
SHUNT_GEMR2D(c, C, "C", 8)
SHUNT_GEMR2D(z, Z, "Z", 16)
}
