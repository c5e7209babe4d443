// Random matrices on grids of the BLACS, the same on all ranks, and ScaLAPACK's own routines.
#pragma once

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <mpi.h>

#include "tools/scalapack/blacs_grid.hpp"

namespace shunt::test {

/// ScaLAPACK's own routine of this name. What it calls in its turn by a name that Shunt has too is
/// Shunt's: that is so of the copies as Fortran calls them, and not as C does.
inline void* scalapacks(const char* name) {
  static void* const library = dlopen(SCALAPACK_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  return library == nullptr ? nullptr : dlsym(library, name);
}

inline int world_size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// The same on all ranks.
class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  int any(int from, int to) { return std::uniform_int_distribution(from, to)(random_); }
  std::vector<int> some_ranks(int count) {
    std::vector<int> all;
    for (int rank = 0; rank < world_size(); ++rank) all.push_back(rank);
    std::shuffle(all.begin(), all.end(), random_);
    all.resize(static_cast<std::size_t>(count));
    return all;
  }

 private:
  std::mt19937 random_;
};

/// How many of `extent` indices in blocks of `block` a place has (ScaLAPACK's NUMROC).
inline int local_extent(int extent, int block, int place, int first, int places) {
  int count = 0;
  for (int i = 0; i < extent; ++i) count += (i / block + first) % places == place ? 1 : 0;
  return count;
}

/// A grid over these ranks, of any shape.
inline bench::BlacsGrid any_grid(Dice& dice, std::vector<int> ranks) {
  const int count = static_cast<int>(ranks.size());
  int rows = dice.any(1, count);
  while (count % rows != 0) --rows;
  return {std::move(ranks), rows};
}

/// A matrix over a grid, and where a part begins in it.
struct Side {
  /// The leading dimension is at least `least_leading`: the PBLAS want 1.
  Side(Dice& dice, const bench::BlacsGrid& grid, int part_rows, int part_columns,
       int least_leading = 0) {
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
    const int leading = std::max(local_rows, least_leading) + gap;
    elements =
        leading * local_extent(columns, column_block, grid.column(), first_column, grid.columns());
    descriptor = {1,         grid.context(), rows,   columns, row_block, column_block,
                  first_row, first_column,   leading};
  }

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

/// A random matrix goes to another one, over grids of a context, by each of two routines, twice
/// with other elements. Both are called as `copy(a, from, b, to, context)`.
template <class T, class Ours, class Theirs>
void expect_alike(Dice& dice, int m, int n, Ours&& ours, Theirs&& theirs) {
  const bench::BlacsGrid all = any_grid(dice, dice.some_ranks(world_size()));
  const bench::BlacsGrid from_grid = any_grid(dice, dice.some_ranks(dice.any(1, world_size())));
  const bench::BlacsGrid to_grid = any_grid(dice, dice.some_ranks(dice.any(1, world_size())));
  const Side from(dice, from_grid, m, n);
  const Side to(dice, to_grid, m, n);
  for (int seed = 0; seed < 2; ++seed) {
    const std::vector<T> a = numbered<T>(from.elements, world_rank() + 10 * seed);
    std::vector<T> b = numbered<T>(to.elements, 50);
    std::vector<T> expected = b;
    ours(a.data(), from, b.data(), to, all.context());
    theirs(a.data(), from, expected.data(), to, all.context());
    EXPECT_TRUE(same_bytes(b, expected));
  }
}

}  // namespace shunt::test
