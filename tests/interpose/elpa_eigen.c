/*
 * ELPA's eigenvectors of a dense matrix that lies block-cyclic on a grid of ranks, by its solver in
 * two stages, which redistributes the band between them by MPI_Alltoallv, called from Fortran. ELPA
 * stands on ScaLAPACK. The vectors must be the same, bit for bit, whoever makes the exchange.
 */
#include <elpa/elpa.h>
#include <math.h>
#include <stdlib.h>

#include "checksum.h"

enum { kOrder = 150, kBlock = 16, kGridRows = 2 };

/* How many of the matrix's rows or columns lie on one row or column of the grid. */
static int local_extent(int place, int places) {
  int extent = 0;
  for (int i = 0; i < kOrder; ++i) extent += i / kBlock % places == place;
  return extent;
}

static int global_index(int local, int place, int places) {
  return (local / kBlock * places + place) * kBlock + local % kBlock;
}

static double element(int row, int column) {
  const int low = row < column ? row : column;
  const int high = row < column ? column : row;
  const double diagonal = row == column ? 0.01 * row : 0;
  return diagonal + sin(0.01 * (31 * low + 17 * high)) / (1 + high - low);
}

static void set(elpa_t solver, const char* key, int value) {
  int error = ELPA_OK;
  elpa_set_integer(solver, key, value, &error);
  if (error != ELPA_OK) MPI_Abort(MPI_COMM_WORLD, 1);
}

static elpa_t make_solver(const int place[2], const int extent[2]) {
  int error = ELPA_OK;
  const elpa_t solver = elpa_allocate(&error);
  if (error != ELPA_OK) MPI_Abort(MPI_COMM_WORLD, 1);
  set(solver, "na", kOrder);
  set(solver, "nev", kOrder);
  set(solver, "nblk", kBlock);
  set(solver, "local_nrows", extent[0]);
  set(solver, "local_ncols", extent[1]);
  set(solver, "mpi_comm_parent", MPI_Comm_c2f(MPI_COMM_WORLD));
  set(solver, "process_row", place[0]);
  set(solver, "process_col", place[1]);
  if (elpa_setup(solver) != ELPA_OK) MPI_Abort(MPI_COMM_WORLD, 1);
  set(solver, "solver", ELPA_SOLVER_2STAGE);
  return solver;
}

/* The sum of the eigenvalues is that of the diagonal. */
static int add_up_to_trace(const double* values) {
  double difference = 0;
  for (int i = 0; i < kOrder; ++i) difference += values[i] - element(i, i);
  return fabs(difference) < 1e-9;
}

int main(int argc, char** argv) {
  int rank, ranks, error;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int grid[2] = {kGridRows, ranks / kGridRows};
  const int place[2] = {rank / grid[1], rank % grid[1]};
  const int extent[2] = {local_extent(place[0], grid[0]), local_extent(place[1], grid[1])};
  const size_t elements = (size_t)extent[0] * (size_t)extent[1];
  double* const matrix = malloc(elements * sizeof *matrix);
  double* const vectors = malloc(elements * sizeof *vectors);
  double* const values = malloc(kOrder * sizeof *values);
  for (int j = 0; j < extent[1]; ++j) {
    for (int i = 0; i < extent[0]; ++i) {
      matrix[i + j * extent[0]] =
          element(global_index(i, place[0], grid[0]), global_index(j, place[1], grid[1]));
    }
  }
  if (elpa_init(20211125) != ELPA_OK) MPI_Abort(MPI_COMM_WORLD, 1);
  const elpa_t solver = make_solver(place, extent);
  elpa_eigenvectors_double(solver, matrix, values, vectors, &error);
  if (error != ELPA_OK) MPI_Abort(MPI_COMM_WORLD, 1);
  print_checksum("values", values, kOrder * sizeof *values);
  print_checksum("vectors", vectors, elements * sizeof *vectors);
  if (rank == 0) {
    printf("the values add up to %s\n", add_up_to_trace(values) ? "the trace" : "something else");
  }
  elpa_deallocate(solver, &error);
  elpa_uninit(&error);
  free(matrix);
  free(vectors);
  free(values);
  MPI_Finalize();
  return 0;
}
