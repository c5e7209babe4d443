/*
 * FFTW's own 3-D transform over MPI, there and back. The spectrum and the result must be the same,
 * bit for bit, whoever makes the exchanges in FFTW's transposes. FFTW makes them by MPI_Alltoall
 * where the ranks divide the cube evenly, else by MPI_Alltoallv, and only if the spectrum may stay
 * transposed and the input be lost.
 */
#include <fftw3-mpi.h>
#include <math.h>

#include "checksum.h"

static double real_part(double at) { return sin(at); }
static double imaginary_part(double at) { return cos(3 * at); }

static void transform(ptrdiff_t nx, ptrdiff_t ny, ptrdiff_t nz) {
  ptrdiff_t local_nx, begin_x, local_ny, begin_y;
  const ptrdiff_t local = fftw_mpi_local_size_3d_transposed(nx, ny, nz, MPI_COMM_WORLD, &local_nx,
                                                            &begin_x, &local_ny, &begin_y);
  fftw_complex* const cube = fftw_alloc_complex((size_t)local);
  fftw_complex* const spectrum = fftw_alloc_complex((size_t)local);
  const unsigned flags = FFTW_ESTIMATE | FFTW_DESTROY_INPUT;
  const fftw_plan there = fftw_mpi_plan_dft_3d(nx, ny, nz, cube, spectrum, MPI_COMM_WORLD,
                                               FFTW_FORWARD, flags | FFTW_MPI_TRANSPOSED_OUT);
  const fftw_plan back = fftw_mpi_plan_dft_3d(nx, ny, nz, spectrum, cube, MPI_COMM_WORLD,
                                              FFTW_BACKWARD, flags | FFTW_MPI_TRANSPOSED_IN);
  const size_t elements = (size_t)(local_nx * ny * nz);
  const double first = (double)(begin_x * ny * nz);
  double worst = 0;
  int rank;
  for (size_t i = 0; i < elements; ++i) {
    cube[i][0] = real_part(first + (double)i);
    cube[i][1] = imaginary_part(first + (double)i);
  }
  fftw_execute(there);
  print_checksum("spectrum", spectrum, (size_t)(local_ny * nx * nz) * sizeof *spectrum);
  fftw_execute(back);
  print_checksum("there and back", cube, elements * sizeof *cube);
  for (size_t i = 0; i < elements; ++i) {
    const double scale = (double)(nx * ny * nz);
    worst = fmax(worst, fabs(cube[i][0] / scale - real_part(first + (double)i)));
    worst = fmax(worst, fabs(cube[i][1] / scale - imaginary_part(first + (double)i)));
  }
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("the way back ends %s\n", worst < 1e-12 ? "where it began" : "elsewhere");
  fftw_destroy_plan(there);
  fftw_destroy_plan(back);
  fftw_free(cube);
  fftw_free(spectrum);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  transform(36, 20, 15);
  transform(37, 21, 15);
  fftw_mpi_cleanup();
  MPI_Finalize();
  return 0;
}
