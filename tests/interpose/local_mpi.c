/* Loads MPICH for itself alone, as Python does: its symbols are in no scope that others look into.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* POSIX's own way to store an object pointer in a function's. */
static void find(void* library, const char* name, void* function) {
  void* const found = dlsym(library, name);
  memcpy(function, &found, sizeof found);
}

int main(void) {
  int (*init)(int*, char***);
  int (*comm_rank)(MPI_Comm, int*);
  int (*allreduce)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*finalize)(void);
  int rank = 0;
  int most = 0;
  void* const library = dlopen(MPI_LIBRARY_FILE, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return 1;
  find(library, "MPI_Init", &init);
  find(library, "MPI_Comm_rank", &comm_rank);
  find(library, "MPI_Allreduce", &allreduce);
  find(library, "MPI_Finalize", &finalize);
  init(NULL, NULL);
  comm_rank(MPI_COMM_WORLD, &rank);
  allreduce(&rank, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) printf("local_mpi: %d\n", most);
  return finalize();
}
