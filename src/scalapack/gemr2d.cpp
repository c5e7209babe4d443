// p?gemr2d in the place of ScaLAPACK's, in all spellings of Fortran compilers and from C.
#include <complex>
#include <cstdio>

#include "scalapack/blacs.hpp"
#include "scalapack/matrix_copy.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

/// As ScaLAPACK does it: one sentence, and the program ends.
void copy_or_abort(const char* name, const MatrixCopy& copy, const void* from, void* to) {
  try {
    copy_matrix(copy, from, to);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    Cblacs_abort(copy.context, 1);
  }
}

}  // namespace

}  // namespace shunt

#define SHUNT_GEMR2D_FORTRAN(symbol, letter, type)                                                 \
  void symbol(const int* m, const int* n, const type* a, const int* ia, const int* ja,             \
              const shunt::MatrixDescriptor* desca, type* b, const int* ib, const int* jb,         \
              const shunt::MatrixDescriptor* descb, const int* context) {                          \
    shunt::copy_or_abort("P" letter "GEMR2D",                                                      \
                         {*m, *n, {*ia, *ja, *desca}, {*ib, *jb, *descb}, *context, sizeof(type)}, \
                         a, b);                                                                    \
  }

#define SHUNT_GEMR2D(lower, upper, letter, type)                                                   \
  SHUNT_GEMR2D_FORTRAN(p##lower##gemr2d, letter, type)                                             \
  SHUNT_GEMR2D_FORTRAN(p##lower##gemr2d_, letter, type)                                            \
  SHUNT_GEMR2D_FORTRAN(p##lower##gemr2d__, letter, type)                                           \
  SHUNT_GEMR2D_FORTRAN(P##upper##GEMR2D, letter, type)                                             \
  void Cp##lower##gemr2d(int m, int n, const type* a, int ia, int ja,                              \
                         const shunt::MatrixDescriptor* desca, type* b, int ib, int jb,            \
                         const shunt::MatrixDescriptor* descb, int context) {                      \
    shunt::copy_or_abort("P" letter "GEMR2D",                                                      \
                         {m, n, {ia, ja, *desca}, {ib, jb, *descb}, context, sizeof(type)}, a, b); \
  }

extern "C" {
SHUNT_GEMR2D(i, I, "I", int)
SHUNT_GEMR2D(s, S, "S", float)
SHUNT_GEMR2D(d, D, "D", double)
SHUNT_GEMR2D(c, C, "C", std::complex<float>)
SHUNT_GEMR2D(z, Z, "Z", std::complex<double>)
}
