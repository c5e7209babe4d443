// p?gemr2d beside ScaLAPACK's own, byte for byte: grids of any shapes, overlapping or not.
#include <algorithm>
#include <complex>
#include <cstring>
#include <random>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include "scalapack/blacs_grid.hpp"

extern "C" {
void pigemr2d_(const int*, const int*, const int*, const int*, const int*, const int*, int*,
               const int*, const int*, const int*, const int*);
void psgemr2d_(const int*, const int*, const float*, const int*, const int*, const int*, float*,
               const int*, const int*, const int*, const int*);
void pdgemr2d_(const int*, const int*, const double*, const int*, const int*, const int*, double*,
               const int*, const int*, const int*, const int*);
void pcgemr2d_(const int*, const int*, const std::complex<float>*, const int*, const int*,
               const int*, std::complex<float>*, const int*, const int*, const int*, const int*);
void pzgemr2d_(const int*, const int*, const std::complex<double>*, const int*, const int*,
               const int*, std::complex<double>*, const int*, const int*, const int*, const int*);
void Cpdgemr2d(int, int, const double*, int, int, const int*, double*, int, int, const int*, int);
}

namespace shunt::test {
namespace {

template <class T>
using Gemr2d = void (*)(const int*, const int*, const T*, const int*, const int*, const int*, T*,
                        const int*, const int*, const int*, const int*);

/// ScaLAPACK's own routine of this name.
void* scalapacks(const char* name) {
  static void* const library = dlopen(SCALAPACK_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  return library == nullptr ? nullptr : dlsym(library, name);
}

/// The same on all ranks.
class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  int any(int from, int to) { return std::uniform_int_distribution(from, to)(random_); }
  std::vector<int> some_ranks(int count, int of) {
    std::vector<int> all;
    for (int rank = 0; rank < of; ++rank) all.push_back(rank);
    std::shuffle(all.begin(), all.end(), random_);
    all.resize(static_cast<std::size_t>(count));
    return all;
  }

 private:
  std::mt19937 random_;
};

int world_size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// How many of `extent` indices in blocks of `block` a place has (ScaLAPACK's NUMROC).
int local_extent(int extent, int block, int place, int first, int places) {
  int count = 0;
  for (int i = 0; i < extent; ++i) count += (i / block + first) % places == place ? 1 : 0;
  return count;
}

/// A matrix over some of the ranks, and where a part begins in it.
struct Side {
  Side(Dice& dice, int part_rows, int part_columns)
      : grid_ranks(dice.some_ranks(dice.any(1, world_size()), world_size())),
        grid(grid_ranks, rows_for(dice, static_cast<int>(grid_ranks.size()))) {
    row = dice.any(1, 5);
    column = dice.any(1, 5);
    const int rows = part_rows + row - 1 + dice.any(0, 4);
    const int columns = part_columns + column - 1 + dice.any(0, 4);
    const int row_block = dice.any(1, 9);
    const int column_block = dice.any(1, 9);
    const int first = dice.any(0, 1000);
    const int second = dice.any(0, 1000);
    const int gap = dice.any(0, 3);
    descriptor.assign(9, -7);
    descriptor[1] = -1;
    if (!grid.has_this()) return;
    const int first_row = first % grid.rows();
    const int first_column = second % grid.columns();
    const int local_rows = local_extent(rows, row_block, grid.row(), first_row, grid.rows());
    const int leading = std::max(local_rows, 1) + gap;
    elements =
        leading * local_extent(columns, column_block, grid.column(), first_column, grid.columns());
    descriptor = {1,         grid.context(), rows,   columns, row_block, column_block,
                  first_row, first_column,   leading};
  }

  static int rows_for(Dice& dice, int ranks) {
    int rows = dice.any(1, ranks);
    while (ranks % rows != 0) --rows;
    return rows;
  }

  std::vector<int> grid_ranks;
  bench::BlacsGrid grid;
  int row = 0;
  int column = 0;
  std::vector<int> descriptor;
  int elements = 0;
};

template <class T>
std::vector<T> numbered(int count, int seed) {
  std::vector<T> elements(static_cast<std::size_t>(count) + 1);
  auto* bytes = reinterpret_cast<unsigned char*>(elements.data());
  // No bytes of a number that a processor might change on the way.
  for (std::size_t k = 0; k < elements.size() * sizeof(T); ++k) {
    bytes[k] = static_cast<unsigned char>((k * 7 + static_cast<std::size_t>(seed)) % 61);
  }
  return elements;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T& x, const T& y) { return std::memcmp(&x, &y, sizeof(T)) == 0; });
}

template <class T>
void compare(Gemr2d<T> ours, const char* name) {
  const auto theirs = reinterpret_cast<Gemr2d<T>>(scalapacks(name));
  ASSERT_NE(theirs, nullptr) << name;
  ASSERT_NE(theirs, ours) << "ScaLAPACK's own comes first";
  Dice dice(5);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(testing::Message() << name << ", round " << round);
    const int m = dice.any(0, 40);
    const int n = dice.any(0, 40);
    const bench::BlacsGrid all(dice.some_ranks(world_size(), world_size()),
                               Side::rows_for(dice, world_size()));
    const Side from(dice, m, n);
    const Side to(dice, m, n);
    const int context = all.context();
    // Twice by a plan, with other elements.
    for (int seed = 0; seed < 2; ++seed) {
      const std::vector<T> a = numbered<T>(from.elements, rank + 10 * seed);
      std::vector<T> b = numbered<T>(to.elements, 50);
      std::vector<T> expected = b;
      ours(&m, &n, a.data(), &from.row, &from.column, from.descriptor.data(), b.data(), &to.row,
           &to.column, to.descriptor.data(), &context);
      theirs(&m, &n, a.data(), &from.row, &from.column, from.descriptor.data(), expected.data(),
             &to.row, &to.column, to.descriptor.data(), &context);
      ASSERT_TRUE(same_bytes(b, expected)) << m << " x " << n;
    }
  }
}

/// What a process outside a grid is called with stays the same when the matrix there changes.
TEST(Gemr2d, FollowsAMatrixThatOnlyItsOwnGridKnows) {
  const auto theirs = reinterpret_cast<Gemr2d<double>>(scalapacks("pdgemr2d_"));
  ASSERT_NE(theirs, nullptr);
  Dice dice(6);
  const bench::BlacsGrid all(dice.some_ranks(world_size(), world_size()), 1);
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
    theirs(&order, &order, a.data(), &begin, &begin, from.data(), expected.data(), &begin, &begin,
           to.data(), &context);
    ASSERT_TRUE(same_bytes(b, expected)) << leading;
  }
}

TEST(Gemr2d, IsAsScalapacksForIntegers) { compare<int>(pigemr2d_, "pigemr2d_"); }
TEST(Gemr2d, IsAsScalapacksForFloats) { compare<float>(psgemr2d_, "psgemr2d_"); }
TEST(Gemr2d, IsAsScalapacksForDoubles) { compare<double>(pdgemr2d_, "pdgemr2d_"); }
TEST(Gemr2d, IsAsScalapacksForComplexFloats) {
  compare<std::complex<float>>(pcgemr2d_, "pcgemr2d_");
}
TEST(Gemr2d, IsAsScalapacksForComplexDoubles) {
  compare<std::complex<double>>(pzgemr2d_, "pzgemr2d_");
}

}  // namespace
}  // namespace shunt::test
