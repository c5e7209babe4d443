/*
 * Calls of MPI's all-to-all and all-gather collectives, and on rank 0 what a trace of them must
 * say: every matrix is a formula, by which rank 0 prints those of communicators that it is not in,
 * too.
 *
 * traced_calls        on several communicators, some of them freed early
 * traced_calls many   more different matrices than a trace takes
 * traced_calls none   nothing
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { MOST_RANKS = 16, BLOCK = 16, SPACE = MOST_RANKS * BLOCK };

static int rank, ranks;
static int out[SPACE], in[SPACE];

/* Elements from one rank to another, of some kind of traffic; some have none. */
typedef int (*Formula)(int from, int to);

static int even(int from, int to) {
  (void)from;
  (void)to;
  return 10;
}
static int uneven(int from, int to) { return (from + 2 * to) % 4; }
static int symmetric(int from, int to) { return (from + to) % 3; }
static int block(int from, int to) {
  (void)to;
  return from % 3 * 4;
}
static int sparse(int from, int to) { return from == 0 && to == 0 ? 7 : 0; }

/* The ranks from `first` to before `end` in the world are one communicator. */
static void print_communicator(int first, int end, int number) {
  if (rank != 0) return;
  printf("comm-%d-%d of", first, number);
  for (int member = first; member < end; ++member) printf(" %d", member);
  printf("\n");
}

static void print_call(const char* function, int repeats, int size, Formula formula, int element) {
  if (rank != 0) return;
  printf("%s %d%s:", function, repeats, strstr(function, "gather") != NULL ? " allgather" : "");
  for (int from = 0; from < size; ++from) {
    for (int to = 0; to < size; ++to) {
      if (formula(from, to) > 0) printf(" %d>%d=%d", from, to, formula(from, to) * element);
    }
  }
  printf("\n");
}

static void alltoall(MPI_Comm comm) { MPI_Alltoall(out, 10, MPI_INT, in, 10, MPI_INT, comm); }

/* Sends elements of one type and receives them as another one. */
static void alltoallv(MPI_Comm comm, Formula formula, MPI_Datatype sent, MPI_Datatype received,
                      int of_sent, int in_place) {
  int size, me;
  int counts_out[MOST_RANKS], counts_in[MOST_RANKS], places[MOST_RANKS];
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &me);
  for (int peer = 0; peer < size; ++peer) {
    counts_out[peer] = formula(me, peer);
    counts_in[peer] = formula(peer, me) * of_sent;
    places[peer] = peer * 4;
  }
  MPI_Alltoallv(in_place ? MPI_IN_PLACE : out, counts_out, places, sent, in, counts_in, places,
                received, comm);
}

/* Blocks of `block`, from a buffer or where they already are. */
static void allgatherv(MPI_Comm comm, int in_place) {
  int size, me;
  int counts[MOST_RANKS], places[MOST_RANKS];
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &me);
  for (int source = 0; source < size; ++source) {
    counts[source] = block(source, 0);
    places[source] = source * BLOCK;
  }
  if (in_place) {
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, counts, places, MPI_INT, comm);
  } else {
    MPI_Allgatherv(out, counts[me], MPI_INT, in, counts, places, MPI_INT, comm);
  }
}

static void alltoallw(MPI_Comm comm) {
  int counts_out[MOST_RANKS], counts_in[MOST_RANKS], places[MOST_RANKS];
  MPI_Datatype types[MOST_RANKS];
  for (int peer = 0; peer < ranks; ++peer) {
    counts_out[peer] = uneven(rank, peer);
    counts_in[peer] = uneven(peer, rank);
    places[peer] = peer * BLOCK * (int)sizeof(int);
    types[peer] = (rank + peer) % 2 == 0 ? MPI_INT : MPI_FLOAT;
  }
  MPI_Alltoallw(out, counts_out, places, types, in, counts_in, places, types, comm);
}

static void try_world(void) {
  MPI_Datatype strided;
  MPI_Type_vector(2, 1, 3, MPI_INT, &strided);
  MPI_Type_commit(&strided);
  print_communicator(0, ranks, 0);
  for (int i = 0; i < 3; ++i) alltoall(MPI_COMM_WORLD);
  print_call("MPI_Alltoall", 3, ranks, even, 4);
  for (int i = 0; i < 2; ++i) {
    alltoallv(MPI_COMM_WORLD, symmetric, strided, MPI_INT, 2, 0);
    alltoallv(MPI_COMM_WORLD, uneven, MPI_INT, MPI_INT, 1, 0);
    print_call("MPI_Alltoallv", 1, ranks, symmetric, 8);
    print_call("MPI_Alltoallv", 1, ranks, uneven, 4);
  }
  alltoallv(MPI_COMM_WORLD, symmetric, MPI_INT, MPI_INT, 1, 1);
  print_call("MPI_Alltoallv", 1, ranks, symmetric, 4);
  alltoallw(MPI_COMM_WORLD);
  print_call("MPI_Alltoallw", 1, ranks, uneven, 4);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 10, MPI_INT, MPI_COMM_WORLD);
  print_call("MPI_Alltoall", 1, ranks, even, 4);
  MPI_Type_free(&strided);
  allgatherv(MPI_COMM_WORLD, 0);
  allgatherv(MPI_COMM_WORLD, 1);
  print_call("MPI_Allgatherv", 2, ranks, block, 4);
  MPI_Allgather(out, 10, MPI_INT, in, 10, MPI_INT, MPI_COMM_WORLD);
  print_call("MPI_Allgather", 1, ranks, even, 4);
}

/* Communicators of the lower and of the upper ranks, freed at once, and again under their handle.
 */
static void try_halves(void) {
  MPI_Comm half;
  const int middle = ranks / 2;
  const int first[] = {0, middle, ranks};
  for (int number = 0; number < 2; ++number) {
    MPI_Comm_split(MPI_COMM_WORLD, rank >= middle, rank, &half);
    alltoallv(half, number == 0 ? sparse : symmetric, MPI_INT, MPI_INT, 1, 0);
    if (number == 1) alltoall(half);
    MPI_Comm_free(&half);
    for (int upper = 0; upper < 2; ++upper) {
      const int size = first[upper + 1] - first[upper];
      if (size == 0) continue;
      print_communicator(first[upper], first[upper + 1], upper == 0 ? number + 1 : number);
      print_call("MPI_Alltoallv", 1, size, number == 0 ? sparse : symmetric, 4);
      if (number == 1) print_call("MPI_Alltoall", 1, size, even, 4);
    }
  }
}

/* A call that fails is none; the one after it is. */
static void try_failure(void) {
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  if (MPI_Alltoall(out, -1, MPI_INT, in, -1, MPI_INT, own) == MPI_SUCCESS) printf("no error\n");
  alltoall(own);
  MPI_Comm_free(&own);
  print_communicator(0, ranks, 3);
  print_call("MPI_Alltoall", 1, ranks, even, 4);
}

static void try_many(void) {
  static char from[32000], to[32000];
  for (int count = 1; count < 31000; ++count) {
    MPI_Alltoall(from, count, MPI_CHAR, to, count, MPI_CHAR, MPI_COMM_SELF);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc > 1 && strcmp(argv[1], "many") == 0) {
    try_many();
  } else if (argc > 1 && strcmp(argv[1], "none") == 0) {
    /* It is for what is said of that. */
  } else {
    try_world();
    try_halves();
    try_failure();
  }
  MPI_Finalize();
  return 0;
}
