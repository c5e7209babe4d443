// p?trmr2d beside ScaLAPACK's own, byte for byte.
#include <complex>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "scalapack/random_matrix.hpp"

#define SHUNT_TRMR2D(name, T)                                                                   \
  void name(const char*, const char*, const int*, const int*, const T*, const int*, const int*, \
            const int*, T*, const int*, const int*, const int*, const int*)
extern "C" {
SHUNT_TRMR2D(pitrmr2d_, int);
SHUNT_TRMR2D(pstrmr2d_, float);
SHUNT_TRMR2D(pdtrmr2d_, double);
SHUNT_TRMR2D(pctrmr2d_, std::complex<float>);
SHUNT_TRMR2D(pztrmr2d_, std::complex<double>);
}
#undef SHUNT_TRMR2D

namespace shunt::test {
namespace {

template <class T>
using Trmr2d = void (*)(const char*, const char*, const int*, const int*, const T*, const int*,
                        const int*, const int*, T*, const int*, const int*, const int*, const int*);

/// As C calls it.
template <class T>
using CTrmr2d = void (*)(const char*, const char*, int, int, const T*, int, int, const int*, T*,
                         int, int, const int*, int);

template <class T>
void compare(Trmr2d<T> ours, const char* name) {
  const auto theirs = reinterpret_cast<CTrmr2d<T>>(scalapacks(name));
  ASSERT_NE(theirs, nullptr) << name;
  Dice dice(9);
  for (int round = 0; round < 60; ++round) {
    // Some in several panels.
    const int longest = round % 4 == 0 ? 300 : 40;
    const int m = dice.any(0, longest);
    const int n = dice.any(0, longest);
    const char uplo = "UuLl"[dice.any(0, 3)];
    const char diag = "UuNn"[dice.any(0, 3)];
    SCOPED_TRACE(testing::Message()
                 << name << ", round " << round << ": " << uplo << diag << ", " << m << " x " << n);
    expect_alike<T>(
        dice, m, n,
        [&](const T* a, const Side& from, T* b, const Side& to, int context) {
          ours(&uplo, &diag, &m, &n, a, &from.row, &from.column, from.descriptor.data(), b, &to.row,
               &to.column, to.descriptor.data(), &context);
        },
        [&](const T* a, const Side& from, T* b, const Side& to, int context) {
          theirs(&uplo, &diag, m, n, a, from.row, from.column, from.descriptor.data(), b, to.row,
                 to.column, to.descriptor.data(), context);
        });
  }
}

/// As ScaLAPACK's own, which returns at once.
TEST(Trmr2d, LooksAtNothingWhereNothingIsCopied) {
  const auto theirs = reinterpret_cast<CTrmr2d<double>>(scalapacks("Cpdtrmr2d"));
  ASSERT_NE(theirs, nullptr);
  const int none = 0;
  const int some = 5;
  const int beyond = 100;
  const int no_context = -1;
  theirs("x", "y", none, some, nullptr, beyond, beyond, nullptr, nullptr, beyond, beyond, nullptr,
         no_context);
  pdtrmr2d_("x", "y", &none, &some, nullptr, &beyond, &beyond, nullptr, nullptr, &beyond, &beyond,
            nullptr, &no_context);
}

TEST(Trmr2d, IsAsScalapacksForIntegers) { compare<int>(pitrmr2d_, "Cpitrmr2d"); }
TEST(Trmr2d, IsAsScalapacksForFloats) { compare<float>(pstrmr2d_, "Cpstrmr2d"); }
TEST(Trmr2d, IsAsScalapacksForDoubles) { compare<double>(pdtrmr2d_, "Cpdtrmr2d"); }
TEST(Trmr2d, IsAsScalapacksForComplexFloats) {
  compare<std::complex<float>>(pctrmr2d_, "Cpctrmr2d");
}
TEST(Trmr2d, IsAsScalapacksForComplexDoubles) {
  compare<std::complex<double>>(pztrmr2d_, "Cpztrmr2d");
}

}  // namespace
}  // namespace shunt::test
