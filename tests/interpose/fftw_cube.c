/*
 * FFTW's own 3-D transform over MPI, there and back. The spectrum and the result must be the same,
 * bit for bit, whoever makes the exchanges in FFTW's transposes.
 */
#include <fftw3-mpi.h>
#include <math.h>

#include "checksum.h"

int main(int argc, char** argv) {
  const ptrdiff_t nx = 36, ny = 20, nz = 15;
  ptrdiff_t local_nx, begin;
  int rank;
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const ptrdiff_t local = fftw_mpi_local_size_3d(nx, ny, nz, MPI_COMM_WORLD, &local_nx, &begin);
  fftw_complex* const data = fftw_alloc_complex((size_t)local);
  const fftw_plan there = fftw_mpi_plan_dft_3d(nx, ny, nz, data, data, MPI_COMM_WORLD, FFTW_FORWARD,
                                               FFTW_ESTIMATE);
  const fftw_plan back = fftw_mpi_plan_dft_3d(nx, ny, nz, data, data, MPI_COMM_WORLD, FFTW_BACKWARD,
                                              FFTW_ESTIMATE);
  const size_t elements = (size_t)(local_nx * ny * nz);
  for (size_t i = 0; i < elements; ++i) {
    const double x = (double)i + (double)(begin * ny * nz);
    data[i][0] = sin(x);
    data[i][1] = cos(3 * x);
  }
  double worst = 0;
  for (int round = 0; round < 3; ++round) {
    fftw_execute(there);
    print_checksum("spectrum", data, elements * sizeof *data);
    fftw_execute(back);
    for (size_t i = 0; i < elements; ++i) {
      const double x = (double)i + (double)(begin * ny * nz);
      data[i][0] /= (double)(nx * ny * nz);
      data[i][1] /= (double)(nx * ny * nz);
      worst = fmax(worst, fmax(fabs(data[i][0] - sin(x)), fabs(data[i][1] - cos(3 * x))));
    }
    print_checksum("there and back", data, elements * sizeof *data);
  }
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("the way back ends %s\n", worst < 1e-12 ? "where it began" : "elsewhere");
  fftw_destroy_plan(there);
  fftw_destroy_plan(back);
  fftw_free(data);
  fftw_mpi_cleanup();
  MPI_Finalize();
  return 0;
}
