// p?tran, p?tranu and p?tranc beside the PBLAS's own. Small integers, so that no sum is rounded.
#include <complex>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "scalapack/random_matrix.hpp"

#define SHUNT_TRAN(name, T)                                                                 \
  void name(const int*, const int*, const T*, const T*, const int*, const int*, const int*, \
            const T*, T*, const int*, const int*, const int*)
extern "C" {
SHUNT_TRAN(pstran_, float);
SHUNT_TRAN(pdtran_, double);
SHUNT_TRAN(pctranu_, std::complex<float>);
SHUNT_TRAN(pztranu_, std::complex<double>);
SHUNT_TRAN(pctranc_, std::complex<float>);
SHUNT_TRAN(pztranc_, std::complex<double>);
}
#undef SHUNT_TRAN

namespace shunt::test {
namespace {

template <class T>
using Tran = void (*)(const int*, const int*, const T*, const T*, const int*, const int*,
                      const int*, const T*, T*, const int*, const int*, const int*);

template <class T>
T number(int real, int imaginary) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(real);
  } else {
    using Part = typename T::value_type;
    return {static_cast<Part>(real), static_cast<Part>(imaginary)};
  }
}

template <class T>
std::vector<T> small_numbers(int count, int seed) {
  std::vector<T> elements;
  for (int k = 0; k <= count; ++k) elements.push_back(number<T>((k * 7 + seed) % 61, k % 5));
  return elements;
}

/// A matrix as the PBLAS describe it, who have a second kind of descriptors.
struct Described {
  std::vector<int> descriptor;
  int elements;
};

/// As it is (kind 0 and 1), in a descriptor of the second kind (2), or with first blocks that are
/// longer by one (3), so that a rank may have a row and a column more.
Described described(const Side& side, int kind) {
  const std::vector<int>& d = side.descriptor;
  if (kind < 2) return {d, side.elements};
  const int longer = kind - 2;
  const int leading = d[8] + longer;
  return {{2, d[1], d[2], d[3], d[4] + longer, d[5] + longer, d[4], d[5], d[6], d[7], leading},
          leading * (side.elements / d[8] + longer)};
}

template <class T>
void compare(Tran<T> ours, const char* name) {
  const auto theirs = reinterpret_cast<Tran<T>>(scalapacks(name));
  ASSERT_NE(theirs, nullptr) << name;
  ASSERT_NE(theirs, ours) << "ScaLAPACK's own comes first";
  Dice dice(8);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(testing::Message() << name << ", round " << round);
    const int m = dice.any(0, 40);
    const int n = dice.any(0, 40);
    const bench::BlacsGrid grid = any_grid(dice, dice.some_ranks(dice.any(1, world_size())));
    const Side from(dice, grid, n, m, 1);
    const Side to(dice, grid, m, n, 1);
    const T alpha = number<T>(dice.any(-1, 2), dice.any(0, 1));
    const T beta = number<T>(dice.any(-1, 2), dice.any(0, 1));
    // Some by descriptors of the PBLAS's own kind, some of those with other first blocks.
    const int kind = dice.any(0, 3);
    if (!grid.has_this()) continue;
    const auto [desca, a_elements] = described(from, kind);
    const auto [descc, c_elements] = described(to, kind);
    const std::vector<T> a = small_numbers<T>(a_elements, world_rank());
    std::vector<T> c = small_numbers<T>(c_elements, 50);
    std::vector<T> expected = c;
    // The PBLAS look neither at A where alpha is 0, nor at places in matrices of which nothing
    // moves.
    const T* const source = alpha == T(0) ? nullptr : a.data();
    const int beyond = m == 0 || n == 0 ? 1000 : 0;
    const int row = from.row + beyond;
    const int column = from.column + beyond;
    // The second time by a plan.
    for (int turn = 0; turn < 2; ++turn) {
      ours(&m, &n, &alpha, source, &row, &column, desca.data(), &beta, c.data(), &to.row,
           &to.column, descc.data());
      theirs(&m, &n, &alpha, source, &row, &column, desca.data(), &beta, expected.data(), &to.row,
             &to.column, descc.data());
      EXPECT_EQ(c, expected) << m << " x " << n << ", " << alpha << ", " << beta;
    }
  }
}

TEST(Tran, IsAsThePblasForFloats) { compare<float>(pstran_, "pstran_"); }
TEST(Tran, IsAsThePblasForDoubles) { compare<double>(pdtran_, "pdtran_"); }
TEST(Tran, IsAsThePblasForComplexFloats) {
  compare<std::complex<float>>(pctranu_, "pctranu_");
  compare<std::complex<float>>(pctranc_, "pctranc_");
}
TEST(Tran, IsAsThePblasForComplexDoubles) {
  compare<std::complex<double>>(pztranu_, "pztranu_");
  compare<std::complex<double>>(pztranc_, "pztranc_");
}

}  // namespace
}  // namespace shunt::test
