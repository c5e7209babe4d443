/*
 * In the place of an MPI that can be given memory of a device: preloaded before MPI's own
 * functions, it opens the memory while these work. Who else touches it dies.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

static void (*open_memory)(int open);

/* By the program: how to open the device's memory. */
void device_mpi_use(void (*function)(int open)) { open_memory = function; }

/* MPI_X goes by the same way as PMPI_X. ISO C has no way from an object to a function. */
#define PASS(name, parameters, ...)            \
  int PMPI_##name parameters {                 \
    union {                                    \
      void* object;                            \
      __typeof__(&PMPI_##name) call;           \
    } own = {dlsym(RTLD_NEXT, "PMPI_" #name)}; \
    int code;                                  \
    if (open_memory) open_memory(1);           \
    code = own.call(__VA_ARGS__);              \
    if (open_memory) open_memory(0);           \
    return code;                               \
  }                                            \
  int MPI_##name parameters { return PMPI_##name(__VA_ARGS__); }

PASS(Alltoall, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
     a, b, c, d, e, f, g)
PASS(Alltoallv,
     (const void* a, const int b[], const int c[], MPI_Datatype d, void* e, const int f[],
      const int g[], MPI_Datatype h, MPI_Comm i),
     a, b, c, d, e, f, g, h, i)
PASS(Alltoallw,
     (const void* a, const int b[], const int c[], const MPI_Datatype d[], void* e, const int f[],
      const int g[], const MPI_Datatype h[], MPI_Comm i),
     a, b, c, d, e, f, g, h, i)
PASS(Allgather, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
     a, b, c, d, e, f, g)
PASS(Allgatherv,
     (const void* a, int b, MPI_Datatype c, void* d, const int e[], const int f[], MPI_Datatype g,
      MPI_Comm h),
     a, b, c, d, e, f, g, h)
PASS(Sendrecv,
     (const void* a, int b, MPI_Datatype c, int d, int e, void* f, int g, MPI_Datatype h, int i,
      int j, MPI_Comm k, MPI_Status* l),
     a, b, c, d, e, f, g, h, i, j, k, l)
