// Fortran under MPICH calls the functions of C, with one exception.
#include <mpi.h>

/// `use mpi_f08` ends by PMPI_Finalize. The argument is optional.
extern "C" void mpi_finalize_f08_(MPI_Fint* error) {
  const int code = MPI_Finalize();
  if (error != nullptr) *error = code;
}
