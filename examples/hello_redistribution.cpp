// A matrix in ScaLAPACK's layout, blocks of 64 x 64 on a grid of ranks, goes to whole rows a rank
// and back.
#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

#include <mpi.h>

#include "shunt/shunt.hpp"

namespace {

/// Rows of the grid of all ranks that is nearest to a square.
int grid_rows(int ranks) {
  int rows = 1;
  for (int k = 1; k * k <= ranks; ++k) {
    if (ranks % k == 0) rows = k;
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong = 0;
  {
    shunt::Communicator communicator(MPI_COMM_WORLD);
    constexpr shunt::Index kRows = 1000;
    constexpr shunt::Index kColumns = 700;
    const int rows = grid_rows(communicator.ranks());
    const int columns = communicator.ranks() / rows;

    // Rank r is at place (r / columns, r % columns) of the one grid, and at (r, 0) of the other.
    const shunt::ArrayLayout blocks{
        {{kRows, 64, rows}, {kColumns, 64, columns}}, {}, shunt::Order::column_major};
    const shunt::ArrayLayout whole_rows{{{kRows, 1, communicator.ranks()}, {kColumns, kColumns}}};

    const shunt::BlockCyclic& row = blocks.dimensions[0];
    const shunt::BlockCyclic& column = blocks.dimensions[1];
    const int my_row = communicator.rank() / columns;
    const int my_column = communicator.rank() % columns;
    std::vector<double> matrix;
    for (shunt::Index j = 0; j < column.count(my_column); ++j) {
      for (shunt::Index i = 0; i < row.count(my_row); ++i) {
        matrix.push_back(static_cast<double>(row.index_at(my_row, i) * kColumns +
                                             column.index_at(my_column, j)));
      }
    }

    const shunt::Index my_rows = whole_rows.dimensions[0].count(communicator.rank());
    std::vector<double> in_rows(static_cast<std::size_t>(my_rows * kColumns));
    communicator.redistribute<double>({blocks, std::span<const double>(matrix)},
                                      {whole_rows, std::span<double>(in_rows)});
    for (shunt::Index k = 0; k < my_rows * kColumns; ++k) {
      const auto expected = static_cast<double>(
          whole_rows.dimensions[0].index_at(communicator.rank(), k / kColumns) * kColumns +
          k % kColumns);
      wrong += in_rows[static_cast<std::size_t>(k)] == expected ? 0 : 1;
    }

    std::vector<double> back(matrix.size());
    communicator.redistribute<double>({whole_rows, std::span<const double>(in_rows)},
                                      {blocks, std::span<double>(back)});
    wrong += back == matrix ? 0 : 1;

    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (communicator.rank() == 0) {
      std::printf("1000 x 700 elements on %d x %d ranks went to rows and back, %d wrong\n", rows,
                  columns, wrong);
    }
  }  // the communicator ends before MPI does
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
