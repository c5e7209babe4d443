/*
 * What a call of MPI_Alltoallv costs beyond MPI's own function, PMPI_Alltoallv: batches of both in
 * turn, in one program. Alone the two are the same; with Shunt preloaded the first is Shunt's. Or
 * of MPI_Allgather; and on several communicators in turn.
 *
 *   shunt run -- mpirun -n 2 call_overhead [BYTES OF A BLOCK] [CALLS TO LEARN FROM]
 *                                          [alltoallv|allgather] [COMMUNICATORS]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 201, CALLS = 200 };

static int ranks, bytes;
static int communicators, turn;
static MPI_Comm* comms;
static char *out, *in;
static int *counts, *places;

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* values) {
  qsort(values, ROUNDS, sizeof *values, compare);
  return values[ROUNDS / 2];
}

typedef void (*Call)(void);

static MPI_Comm next_comm(void) { return comms[turn++ % communicators]; }

static void alltoallv(void) {
  MPI_Alltoallv(out, counts, places, MPI_CHAR, in, counts, places, MPI_CHAR, next_comm());
}

static void own_alltoallv(void) {
  PMPI_Alltoallv(out, counts, places, MPI_CHAR, in, counts, places, MPI_CHAR, next_comm());
}

static void allgather(void) {
  MPI_Allgather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, next_comm());
}

static void own_allgather(void) {
  PMPI_Allgather(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, next_comm());
}

static void call_often(Call call, int times) {
  for (int k = 0; k < times; ++k) call();
}

/* Microseconds of a call on the slowest rank. */
static double time_batch(Call call) {
  double own, slowest;
  PMPI_Barrier(MPI_COMM_WORLD);
  own = PMPI_Wtime();
  call_often(call, CALLS);
  own = (PMPI_Wtime() - own) / CALLS * 1e6;
  PMPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

static void allocate(void) {
  out = calloc((size_t)ranks, (size_t)bytes);
  in = calloc((size_t)ranks, (size_t)bytes);
  counts = calloc((size_t)ranks, sizeof *counts);
  places = calloc((size_t)ranks, sizeof *places);
  comms = calloc((size_t)communicators, sizeof(MPI_Comm));
  comms[0] = MPI_COMM_WORLD;
  for (int k = 1; k < communicators; ++k) MPI_Comm_dup(MPI_COMM_WORLD, comms + k);
  for (int k = 0; k < ranks; ++k) {
    counts[k] = bytes;
    places[k] = k * bytes;
  }
}

/* The argument, which is a number of at least this; `fallback` without one. Ends the program. */
static int number_of(int argc, char** argv, int place, int least, int fallback) {
  char* end;
  long number;
  if (argc <= place) return fallback;
  number = strtol(argv[place], &end, 10);
  if (*end == '\0' && end != argv[place] && number >= least && number <= 1 << 30)
    return (int)number;
  fprintf(stderr, "call_overhead: \"%s\" is not a number of at least %d\n", argv[place], least);
  exit(2);
}

/* Whether it is MPI_Allgather. */
static int gathers_of(int argc, char** argv) {
  if (argc <= 3 || strcmp(argv[3], "alltoallv") == 0) return 0;
  if (strcmp(argv[3], "allgather") == 0) return 1;
  fprintf(stderr, "call_overhead: \"%s\" is neither alltoallv nor allgather\n", argv[3]);
  exit(2);
}

int main(int argc, char** argv) {
  static double with[ROUNDS], without[ROUNDS], extra[ROUNDS];
  const int learning = number_of(argc, argv, 2, 0, 2000);
  const int gathers = gathers_of(argc, argv);
  const char* const name = gathers ? "Allgather" : "Alltoallv";
  const Call call = gathers ? allgather : alltoallv;
  const Call own_call = gathers ? own_allgather : own_alltoallv;
  int rank;
  bytes = number_of(argc, argv, 1, 0, 8);
  communicators = number_of(argc, argv, 4, 1, 1);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  allocate();
  call_often(call, learning);
  for (int k = 0; k < ROUNDS; ++k) {
    const int first = k % 2;
    if (first) with[k] = time_batch(call);
    without[k] = time_batch(own_call);
    if (!first) with[k] = time_batch(call);
    extra[k] = with[k] - without[k];
  }
  if (rank == 0) {
    const double taken = median(with), native = median(without);
    printf(
        "%d ranks, blocks of %d bytes: MPI_%s %.3f us, PMPI_%s %.3f us,\n"
        "difference %.3f us in the median, ratio %.3f\n",
        ranks, bytes, name, taken, name, native, median(extra), taken / native);
  }
  for (int k = 1; k < communicators; ++k) MPI_Comm_free(comms + k);
  free(comms);
  free(out);
  free(in);
  free(counts);
  free(places);
  MPI_Finalize();
  return 0;
}
