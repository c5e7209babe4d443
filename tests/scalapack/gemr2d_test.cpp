// p?gemr2d beside ScaLAPACK's own, byte for byte: grids of any shapes, overlapping or not.
#include <algorithm>
#include <complex>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "scalapack/random_matrix.hpp"

extern "C" {
void pigemr2d_(const int*, const int*, const int*, const int*, const int*, const int*, int*,
               const int*, const int*, const int*, const int*);
void psgemr2d_(const int*, const int*, const float*, const int*, const int*, const int*, float*,
               const int*, const int*, const int*, const int*);
void pdgemr2d_(const int*, const int*, const double*, const int*, const int*, const int*, double*,
               const int*, const int*, const int*, const int*);
void Cpdgemr2d(int, int, const double*, int, int, const int*, double*, int, int, const int*, int);
void pcgemr2d_(const int*, const int*, const std::complex<float>*, const int*, const int*,
               const int*, std::complex<float>*, const int*, const int*, const int*, const int*);
void pzgemr2d_(const int*, const int*, const std::complex<double>*, const int*, const int*,
               const int*, std::complex<double>*, const int*, const int*, const int*, const int*);
}

namespace shunt::test {
namespace {

template <class T>
using Gemr2d = void (*)(const int*, const int*, const T*, const int*, const int*, const int*, T*,
                        const int*, const int*, const int*, const int*);

/// As C calls it.
template <class T>
using CGemr2d = void (*)(int, int, const T*, int, int, const int*, T*, int, int, const int*, int);

template <class T>
CGemr2d<T> scalapacks_gemr2d(const char* name) {
  return reinterpret_cast<CGemr2d<T>>(scalapacks(name));
}

template <class T>
void compare(Gemr2d<T> ours, const char* name) {
  const auto theirs = scalapacks_gemr2d<T>(name);
  ASSERT_NE(theirs, nullptr) << name;
  Dice dice(5);
  for (int round = 0; round < 60; ++round) {
    const int m = dice.any(0, 40);
    const int n = dice.any(0, 40);
    SCOPED_TRACE(testing::Message() << name << ", round " << round << ": " << m << " x " << n);
    expect_alike<T>(
        dice, m, n,
        [&](const T* a, const Side& from, T* b, const Side& to, int context) {
          ours(&m, &n, a, &from.row, &from.column, from.descriptor.data(), b, &to.row, &to.column,
               to.descriptor.data(), &context);
        },
        [&](const T* a, const Side& from, T* b, const Side& to, int context) {
          theirs(m, n, a, from.row, from.column, from.descriptor.data(), b, to.row, to.column,
                 to.descriptor.data(), context);
        });
  }
}

/// What a process outside a grid is called with stays the same when the matrix there changes.
TEST(Gemr2d, FollowsAMatrixThatOnlyItsOwnGridKnows) {
  const auto theirs = scalapacks_gemr2d<double>("Cpdgemr2d");
  ASSERT_NE(theirs, nullptr);
  Dice dice(6);
  const bench::BlacsGrid all(dice.some_ranks(world_size()), 1);
  const bench::BlacsGrid one(std::vector<int>{world_size() - 1}, 1);
  const int order = 12;
  const int begin = 1;
  const int context = all.context();
  const int local = local_extent(order, 2, all.column(), 0, world_size());
  const std::vector<int> to{1, context, order, order, order, 2, 0, 0, order};
  for (const int leading : {12, 13, 12, 15}) {
    std::vector<int> from(9, -7);
    from[1] = -1;
    if (one.has_this()) from = {1, one.context(), order, order, order, order, 0, 0, leading};
    const std::vector<double> a = numbered<double>(one.has_this() ? leading * order : 0, leading);
    std::vector<double> b = numbered<double>(order * local, 50);
    std::vector<double> expected = b;
    pdgemr2d_(&order, &order, a.data(), &begin, &begin, from.data(), b.data(), &begin, &begin,
              to.data(), &context);
    theirs(order, order, a.data(), begin, begin, from.data(), expected.data(), begin, begin,
           to.data(), context);
    EXPECT_TRUE(same_bytes(b, expected)) << leading;
  }
}

/// Blocks far longer than the matrix go to single columns and rows. ScaLAPACK's own sums overflow
/// on more than two processes.
TEST(Gemr2d, CutsBlocksToTheMatrix) {
  Dice dice(7);
  const bench::BlacsGrid all(dice.some_ranks(world_size()), 1);
  constexpr int kHuge = 2147483647;
  const int order = 12;
  const int begin = 1;
  const int context = all.context();
  const int local = local_extent(order, 1, all.column(), 0, world_size());
  const std::vector<int> from{1, context, order, order, kHuge, kHuge, 0, 0, order};
  const std::vector<int> to{1, context, order, order, 1, 1, 0, 0, order};
  const std::vector<double> a = numbered<double>(order * order, 3);
  std::vector<double> b = numbered<double>(order * local, 50);
  std::vector<double> expected = b;
  for (int k = 0; k < local; ++k) {
    const int column = k * world_size() + all.column();
    std::copy_n(a.begin() + column * order, order, expected.begin() + k * order);
  }
  pdgemr2d_(&order, &order, a.data(), &begin, &begin, from.data(), b.data(), &begin, &begin,
            to.data(), &context);
  EXPECT_TRUE(same_bytes(b, expected));
}

/// As ScaLAPACK's own, which returns at once.
TEST(Gemr2d, LooksAtNothingWhereNothingIsCopied) {
  const auto theirs = scalapacks_gemr2d<double>("Cpdgemr2d");
  ASSERT_NE(theirs, nullptr);
  const int beyond = 100;
  const int no_context = -1;
  for (const auto& [m, n] : {std::pair(0, 5), std::pair(5, 0), std::pair(0, -5)}) {
    theirs(m, n, nullptr, beyond, beyond, nullptr, nullptr, beyond, beyond, nullptr, no_context);
    Cpdgemr2d(m, n, nullptr, beyond, beyond, nullptr, nullptr, beyond, beyond, nullptr, no_context);
    pdgemr2d_(&m, &n, nullptr, &beyond, &beyond, nullptr, nullptr, &beyond, &beyond, nullptr,
              &no_context);
  }
}

TEST(Gemr2d, IsAsScalapacksForIntegers) { compare<int>(pigemr2d_, "Cpigemr2d"); }
TEST(Gemr2d, IsAsScalapacksForFloats) { compare<float>(psgemr2d_, "Cpsgemr2d"); }
TEST(Gemr2d, IsAsScalapacksForDoubles) { compare<double>(pdgemr2d_, "Cpdgemr2d"); }
TEST(Gemr2d, IsAsScalapacksForComplexFloats) {
  compare<std::complex<float>>(pcgemr2d_, "Cpcgemr2d");
}
TEST(Gemr2d, IsAsScalapacksForComplexDoubles) {
  compare<std::complex<double>>(pzgemr2d_, "Cpzgemr2d");
}

}  // namespace
}  // namespace shunt::test
