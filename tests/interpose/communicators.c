/* What calls leave behind on the communicators of a program: communicators TASK
 *
 * attributes   callbacks of a communicator's attributes run for its duplicates alone
 * many         1500 communicators at a time, of the same ranks and of others; each is used
 * orders       communicators of the same ranks in 100 orders
 * lengths      a rank expects less than the others send, after a right call: an error, no hang
 * faults       calls in which MPI libraries are known to fail
 * sizes        the same: an MPI_Allgatherv with another type on every other rank
 * gaps         the same on many ranks: an MPI_Alltoall of elements with gaps
 * own          a rank sends itself less than it expects: its error alone, and no hang */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;
static int copied, deleted;

static int copy(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  (void)comm, (void)key, (void)extra, (void)in;
  void* const made = malloc(1000);
  ++copied;
  *flag = 1;
  memcpy(out, &made, sizeof made);
  return MPI_SUCCESS;
}

static int drop(MPI_Comm comm, int key, void* value, void* extra) {
  (void)comm, (void)key, (void)extra;
  ++deleted;
  free(value);
  return MPI_SUCCESS;
}

/* Whether every rank gets every rank's number. */
static int right_calls(MPI_Comm comm) {
  int own, size, right = 1;
  MPI_Comm_rank(comm, &own);
  MPI_Comm_size(comm, &size);
  int* const out = malloc((size_t)size * sizeof(int));
  int* const in = malloc((size_t)size * sizeof(int));
  int* const ones = malloc((size_t)size * sizeof(int));
  int* const places = malloc((size_t)size * sizeof(int));
  for (int k = 0; k < size; ++k) {
    out[k] = 100 * own + k;
    ones[k] = 1;
    places[k] = k;
    in[k] = -1;
  }
  MPI_Alltoallv(out, ones, places, MPI_INT, in, ones, places, MPI_INT, comm);
  for (int k = 0; k < size; ++k) right &= in[k] == 100 * k + own;
  MPI_Allgather(&own, 1, MPI_INT, in, 1, MPI_INT, comm);
  for (int k = 0; k < size; ++k) right &= in[k] == k;
  free(out), free(in), free(ones), free(places);
  return right;
}

static void try_attributes(void) {
  MPI_Comm own, again;
  int key, right = 1;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm_create_keyval(copy, drop, &key, NULL);
  MPI_Comm_set_attr(own, key, malloc(1000));
  MPI_Comm_set_attr(MPI_COMM_SELF, key, malloc(1000));
  for (int k = 0; k < 20; ++k) right &= right_calls(own) && right_calls(MPI_COMM_SELF);
  printf("right %d copied %d deleted %d\n", right, copied, deleted);
  MPI_Comm_dup(own, &again);
  printf("copied %d deleted %d\n", copied, deleted);
  MPI_Comm_free(&own);
  MPI_Comm_free(&again);
  MPI_Comm_delete_attr(MPI_COMM_SELF, key);
  printf("copied %d deleted %d\n", copied, deleted);
}

static void try_many(int number, int calls) {
  MPI_Comm* const comms = malloc((size_t)number * sizeof(MPI_Comm));
  int right = 1;
  for (int k = 0; k < number; ++k) {
    if (k % 3 == 0) {
      MPI_Comm_split(MPI_COMM_WORLD, rank == k % ranks, rank, &comms[k]);
    } else {
      MPI_Comm_dup(MPI_COMM_WORLD, &comms[k]);
    }
  }
  for (int call = 0; call < calls; ++call)
    for (int k = 0; k < number; ++k) right &= right_calls(comms[k]);
  for (int k = 0; k < number; ++k) MPI_Comm_free(&comms[k]);
  printf("%d communicators, right %d\n", number, right);
  free(comms);
}

/* Where this rank is in the permutation of all ranks with this number. */
static int place_in(int permutation) {
  int places[64], left = ranks;
  for (int k = 0; k < ranks; ++k) places[k] = k;
  for (int k = 0;; ++k, --left) {
    const int chosen = permutation % left;
    permutation /= left;
    if (k == rank) return places[chosen];
    places[chosen] = places[left - 1];
  }
}

/* More kinds of communicators than Shunt sets itself up for: the ranks in other orders. */
static void try_orders(void) {
  enum { kNumber = 100 };
  MPI_Comm comms[kNumber];
  int right = 1;
  for (int k = 0; k < kNumber; ++k) {
    MPI_Comm_split(MPI_COMM_WORLD, 0, place_in(k), &comms[k]);
    right &= right_calls(comms[k]);
  }
  for (int k = 0; k < kNumber; ++k) right &= right_calls(comms[k]);
  for (int k = 0; k < kNumber; ++k) MPI_Comm_free(&comms[k]);
  printf("right %d\n", right);
}

/* Ends the program, with less ado than MPI_Abort. It says so, as the status of mpirun may be that
 * of a rank that mpirun killed for it. */
static void leave(MPI_Comm* comm, int* code, ...) {
  static const char line[] = "the error handler ends the program\n";
  (void)comm, (void)code;
  const ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
  _exit(written > 0 ? 3 : 4);
}

static void end_by_errors(void) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(leave, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Errhandler_free(&handler);
}

static void try_lengths(int calls) {
  end_by_errors();
  int out[4] = {rank, rank, rank, rank};
  int* const in = malloc((size_t)ranks * sizeof out);
  for (int k = 0; k < calls; ++k) MPI_Allgather(out, 4, MPI_INT, in, 4, MPI_INT, MPI_COMM_WORLD);
  const int expected = rank == ranks - 1 ? 3 : 4;
  MPI_Allgather(out, expected, MPI_INT, in, expected, MPI_INT, MPI_COMM_WORLD);
  free(in);
}

static void try_own(void) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int out[10] = {0};
  int* const in = malloc((size_t)ranks * sizeof out);
  const int code = MPI_Allgather(out, rank == 0 ? 1 : 10, MPI_INT, in, 10, MPI_INT, MPI_COMM_WORLD);
  printf("right %d\n", (code == MPI_SUCCESS) == (rank != 0) && right_calls(MPI_COMM_WORLD));
  free(in);
}

/* Calls in which MPI libraries are known to fail: how many failed, or brought something wrong. */
static void try_faults(void) {
  enum { kMost = 64 };
  MPI_Datatype types[2][kMost], empty;
  int counts[2][kMost], places[kMost], out[kMost], in[kMost], errors = 0, wrong = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  for (int call = 0; call < 60; ++call) {
    for (int k = 0; k < ranks; ++k) {
      counts[0][k] = k == next;
      counts[1][k] = k == before;
      types[0][k] = k == next ? MPI_INT : MPI_DATATYPE_NULL;
      types[1][k] = k == before ? MPI_INT : MPI_DATATYPE_NULL;
      places[k] = 4 * k;
      out[k] = 100 * rank + k;
      in[k] = -1;
    }
    errors += MPI_SUCCESS != MPI_Alltoallw(out, counts[0], places, types[0], in, counts[1], places,
                                           types[1], MPI_COMM_WORLD);
    for (int k = 0; k < ranks; ++k) wrong += in[k] != (k == before ? 100 * k + rank : -1);
    for (int k = 0; k < ranks; ++k) places[k] = counts[0][k] = 1 + k;
    errors += MPI_SUCCESS !=
              MPI_Allgatherv(out, rank + 1, empty, in, counts[0], places, empty, MPI_COMM_WORLD);
    for (int k = 0; k < ranks; ++k) counts[0][k] = 1;
    errors += MPI_SUCCESS !=
              MPI_Allgatherv(&call, 1, MPI_INT, in, counts[0], places, MPI_INT, MPI_COMM_WORLD);
    for (int k = 0; k < ranks; ++k) wrong += in[1 + k] != call;
    errors += MPI_SUCCESS != MPI_Alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, MPI_COMM_WORLD);
    errors += MPI_SUCCESS != MPI_Allgather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, MPI_COMM_WORLD);
    for (int k = 0; k < ranks; ++k) places[k] = counts[0][k] = 0, types[0][k] = MPI_INT;
    errors += MPI_SUCCESS != MPI_Alltoallv(NULL, counts[0], places, MPI_INT, NULL, counts[0],
                                           places, MPI_INT, MPI_COMM_WORLD);
    errors += MPI_SUCCESS != MPI_Alltoallw(in, counts[0], places, types[0], in, counts[0], places,
                                           types[0], MPI_COMM_WORLD);
  }
  MPI_Type_free(&empty);
  printf("errors %d wrong %d\n", errors, wrong);
}

static void try_sizes(void) {
  enum { kEach = 300 };
  int wrong = 0;
  MPI_Datatype whole;
  MPI_Type_contiguous(kEach, MPI_INT, &whole);
  MPI_Type_commit(&whole);
  int* const counts = malloc((size_t)ranks * sizeof(int));
  int* const places = malloc((size_t)ranks * sizeof(int));
  int* const in = malloc((size_t)ranks * kEach * sizeof(int));
  int out[kEach];
  for (int k = 0; k < kEach; ++k) out[k] = rank;
  for (int k = 0; k < ranks; ++k) {
    counts[k] = rank % 2 ? 1 : kEach;
    places[k] = k * counts[k];
  }
  for (int call = 0; call < 20; ++call) {
    for (int k = 0; k < ranks * kEach; ++k) in[k] = -1;
    MPI_Allgatherv(out, kEach, MPI_INT, in, counts, places, rank % 2 ? whole : MPI_INT,
                   MPI_COMM_WORLD);
    for (int k = 0; k < ranks * kEach; ++k) wrong += in[k] != k / kEach;
  }
  MPI_Type_free(&whole);
  free(in), free(places), free(counts);
  printf("wrong %d\n", wrong);
}

static void try_gaps(void) {
  int wrong = 0;
  MPI_Datatype strided;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &strided);
  MPI_Type_commit(&strided);
  int* const out = malloc((size_t)ranks * 2 * sizeof(int));
  int* const in = malloc((size_t)ranks * 2 * sizeof(int));
  for (int call = 0; call < 20; ++call) {
    const int gaps_sent = call % 2;
    const int step[] = {1 + gaps_sent, 2 - gaps_sent};
    for (int k = 0; k < 2 * ranks; ++k) out[k] = in[k] = -1;
    for (int k = 0; k < ranks; ++k) out[k * step[0]] = 100 * rank + k;
    MPI_Alltoall(out, 1, gaps_sent ? strided : MPI_INT, in, 1, gaps_sent ? MPI_INT : strided,
                 MPI_COMM_WORLD);
    for (int k = 0; k < ranks; ++k) wrong += in[k * step[1]] != 100 * k + rank;
    for (int k = 0; k < 2 * ranks; ++k)
      wrong += (k % step[1] != 0 || k >= ranks * step[1]) && in[k] != -1;
  }
  MPI_Type_free(&strided);
  free(out), free(in);
  printf("wrong %d\n", wrong);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char* const task = argc > 1 ? argv[1] : "";
  if (!strcmp(task, "attributes")) try_attributes();
  if (!strcmp(task, "many")) try_many(1500, 1);
  if (!strcmp(task, "orders")) try_orders();
  if (!strcmp(task, "lengths")) try_lengths(argc > 2 ? atoi(argv[2]) : 1);
  if (!strcmp(task, "own")) try_own();
  if (!strcmp(task, "faults")) try_faults();
  if (!strcmp(task, "sizes")) try_sizes();
  if (!strcmp(task, "gaps")) try_gaps();
  MPI_Finalize();
  return 0;
}
