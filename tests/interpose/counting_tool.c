/*
 * A tool by MPI's profiling interface: counts the program's calls of what Shunt takes over, and of
 * some functions that Shunt calls itself, and says on stderr how many there were on all ranks.
 * With BY_NEXT it goes on to the next MPI_X instead of PMPI_X.
 */
#ifdef BY_NEXT
#define _GNU_SOURCE
#include <dlfcn.h>
#endif
#include <mpi.h>
#include <stdio.h>

enum Function {
  ALLTOALL,
  ALLTOALLV,
  ALLTOALLW,
  ALLGATHER,
  ALLGATHERV,
  COMM_DUP,
  ISEND,
  IRECV,
  KINDS
};

static long calls[KINDS];

#ifdef BY_NEXT
/* ISO C has no way from an object to a function, but by their bytes. */
#define GO_ON(function, ...)                       \
  do {                                             \
    union {                                        \
      void* object;                                \
      __typeof__(&MPI_##function) call;            \
    } next = {dlsym(RTLD_NEXT, "MPI_" #function)}; \
    return next.call(__VA_ARGS__);                 \
  } while (0)
#else
#define GO_ON(function, ...) return PMPI_##function(__VA_ARGS__)
#endif

int MPI_Alltoall(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
                 MPI_Datatype in_type, MPI_Comm comm) {
  ++calls[ALLTOALL];
  GO_ON(Alltoall, out, out_count, out_type, in, in_count, in_type, comm);
}

int MPI_Alltoallv(const void* out, const int out_counts[], const int out_places[],
                  MPI_Datatype out_type, void* in, const int in_counts[], const int in_places[],
                  MPI_Datatype in_type, MPI_Comm comm) {
  ++calls[ALLTOALLV];
  GO_ON(Alltoallv, out, out_counts, out_places, out_type, in, in_counts, in_places, in_type, comm);
}

int MPI_Alltoallw(const void* out, const int out_counts[], const int out_places[],
                  const MPI_Datatype out_types[], void* in, const int in_counts[],
                  const int in_places[], const MPI_Datatype in_types[], MPI_Comm comm) {
  ++calls[ALLTOALLW];
  GO_ON(Alltoallw, out, out_counts, out_places, out_types, in, in_counts, in_places, in_types,
        comm);
}

int MPI_Allgather(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
                  MPI_Datatype in_type, MPI_Comm comm) {
  ++calls[ALLGATHER];
  GO_ON(Allgather, out, out_count, out_type, in, in_count, in_type, comm);
}

int MPI_Allgatherv(const void* out, int out_count, MPI_Datatype out_type, void* in,
                   const int in_counts[], const int in_places[], MPI_Datatype in_type,
                   MPI_Comm comm) {
  ++calls[ALLGATHERV];
  GO_ON(Allgatherv, out, out_count, out_type, in, in_counts, in_places, in_type, comm);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  ++calls[COMM_DUP];
  GO_ON(Comm_dup, comm, copy);
}

int MPI_Isend(const void* out, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++calls[ISEND];
  GO_ON(Isend, out, count, type, to, tag, comm, request);
}

int MPI_Irecv(void* in, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++calls[IRECV];
  GO_ON(Irecv, in, count, type, from, tag, comm, request);
}

/* Its own collective is no call of the program's. */
static void report(void) {
  long all[KINDS];
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Reduce(calls, all, KINDS, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank != 0) return;
  fprintf(stderr,
          "tool: Alltoall %ld, v %ld, w %ld, Allgather %ld, v %ld; Comm_dup %ld, Isend %ld, Irecv "
          "%ld\n",
          all[ALLTOALL], all[ALLTOALLV], all[ALLTOALLW], all[ALLGATHER], all[ALLGATHERV],
          all[COMM_DUP], all[ISEND], all[IRECV]);
}

int MPI_Finalize(void) {
  report();
#ifdef BY_NEXT
  {
    union {
      void* object;
      int (*call)(void);
    } next = {dlsym(RTLD_NEXT, "MPI_Finalize")};
    return next.call();
  }
#else
  return PMPI_Finalize();
#endif
}

#if defined(OPEN_MPI) && !defined(BY_NEXT)

/* Under Open MPI, Fortran's calls do not pass through C's functions; under MPICH they do. Both for
   mpif.h and `use mpi`, and for `use mpi_f08`. A C program has no library for Fortran. */
#define FORTRAN(kind, name, parameters, ...)            \
  extern void p##name parameters __attribute__((weak)); \
  void name parameters {                                \
    ++calls[kind];                                      \
    p##name(__VA_ARGS__);                               \
  }

typedef void* Any;

#define FORTRAN_BOTH(kind, stem, parameters, ...) \
  FORTRAN(kind, stem##_, parameters, __VA_ARGS__) \
  FORTRAN(kind, stem##_f08_, parameters, __VA_ARGS__)

FORTRAN_BOTH(ALLTOALL, mpi_alltoall, (Any a, Any b, Any c, Any d, Any e, Any f, Any g, Any h), a, b,
             c, d, e, f, g, h)
FORTRAN_BOTH(ALLTOALLV, mpi_alltoallv,
             (Any a, Any b, Any c, Any d, Any e, Any f, Any g, Any h, Any i, Any j), a, b, c, d, e,
             f, g, h, i, j)
FORTRAN_BOTH(ALLTOALLW, mpi_alltoallw,
             (Any a, Any b, Any c, Any d, Any e, Any f, Any g, Any h, Any i, Any j), a, b, c, d, e,
             f, g, h, i, j)
FORTRAN_BOTH(ALLGATHER, mpi_allgather, (Any a, Any b, Any c, Any d, Any e, Any f, Any g, Any h), a,
             b, c, d, e, f, g, h)
FORTRAN_BOTH(ALLGATHERV, mpi_allgatherv,
             (Any a, Any b, Any c, Any d, Any e, Any f, Any g, Any h, Any i), a, b, c, d, e, f, g,
             h, i)

extern void pmpi_finalize_(int*) __attribute__((weak));
extern void pmpi_finalize_f08_(int*) __attribute__((weak));

void mpi_finalize_(int* error) {
  report();
  pmpi_finalize_(error);
}

void mpi_finalize_f08_(int* error) {
  report();
  pmpi_finalize_f08_(error);
}

#elif !defined(OPEN_MPI)

/* The one call that goes past the functions of C. */
void mpi_finalize_f08_(int* error) {
  const int code = MPI_Finalize();
  if (error) *error = code;
}

#endif
