/*
 * All forms of the collectives of MPI that Shunt takes, on all kinds of communicators, from a
 * program that knows nothing of Shunt. The output must be the same with and without it.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "checksum.h"

enum { MOST_RANKS = 16, BLOCK = 40, SPACE = MOST_RANKS * BLOCK };

static int rank, ranks;

/* The longest block of `from` for `to`, in elements; some are empty. */
static int length(int from, int to) { return (7 * from + 3 * to) % 5 * 8; }

struct Side {
  int data[SPACE];
  int counts[MOST_RANKS];
  int places[MOST_RANKS]; /* in elements, with gaps */
};

static struct Side out, in;

static void fill(void) {
  for (int i = 0; i < SPACE; ++i) {
    out.data[i] = 1000000 * (rank + 1) + i;
    in.data[i] = -i;
  }
  for (int peer = 0; peer < ranks; ++peer) {
    out.counts[peer] = length(rank, peer);
    in.counts[peer] = length(peer, rank);
    out.places[peer] = peer * BLOCK;
    in.places[peer] = (ranks - 1 - peer) * BLOCK;
  }
}

static void print_received(const char* name) { print_checksum(name, in.data, sizeof in.data); }

/* Rounds, as in real programs: more than one call from one place. */
static void try_alltoall(MPI_Comm comm, const char* name) {
  fill();
  for (int round = 0; round < 3; ++round) {
    MPI_Alltoall(out.data, BLOCK, MPI_INT, in.data, BLOCK, MPI_INT, comm);
    out.data[round] += in.data[BLOCK / 2];
  }
  print_received(name);
}

static void try_alltoallv(void) {
  fill();
  for (int round = 0; round < 2; ++round) {
    MPI_Alltoallv(out.data, out.counts, out.places, MPI_INT, in.data, in.counts, in.places, MPI_INT,
                  MPI_COMM_WORLD);
  }
  print_received("alltoallv");
}

/* Every other element, and a type for each peer: two ints that even ranks take for one. */
static void try_alltoallw(void) {
  MPI_Datatype strided, pair;
  MPI_Datatype types_out[MOST_RANKS], types_in[MOST_RANKS];
  int bytes_out[MOST_RANKS], bytes_in[MOST_RANKS], counts_in[MOST_RANKS];
  fill();
  MPI_Type_vector(4, 1, 2, MPI_INT, &strided);
  MPI_Type_commit(&strided);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  for (int peer = 0; peer < ranks; ++peer) {
    out.counts[peer] = 1;
    types_out[peer] = strided;
    types_in[peer] = peer % 2 == 0 ? pair : MPI_INT;
    counts_in[peer] = peer % 2 == 0 ? 2 : 4;
    bytes_out[peer] = out.places[peer] * (int)sizeof(int);
    bytes_in[peer] = in.places[peer] * (int)sizeof(int);
  }
  MPI_Alltoallw(out.data, out.counts, bytes_out, types_out, in.data, counts_in, bytes_in, types_in,
                MPI_COMM_WORLD);
  print_received("alltoallw");
  MPI_Type_free(&strided);
  MPI_Type_free(&pair);
}

static void try_in_place(void) {
  MPI_Datatype types[MOST_RANKS];
  int bytes[MOST_RANKS];
  fill();
  memcpy(in.data, out.data, sizeof in.data);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in.data, BLOCK, MPI_INT, MPI_COMM_WORLD);
  for (int peer = 0; peer < ranks; ++peer) {
    in.counts[peer] = (rank + peer) % 4; /* the same both ways */
    types[peer] = MPI_INT;
    bytes[peer] = in.places[peer] * (int)sizeof(int);
  }
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in.data, in.counts, in.places, MPI_INT,
                MPI_COMM_WORLD);
  MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, in.data, in.counts, bytes, types, MPI_COMM_WORLD);
  print_received("in place");
}

/* A third of the ranks has something for all; and all have as much, also in place. */
static void try_allgather(void) {
  fill();
  for (int peer = 0; peer < ranks; ++peer) in.counts[peer] = peer % 3 == 1 ? peer + 1 : 0;
  MPI_Allgatherv(out.data, in.counts[rank], MPI_INT, in.data, in.counts, in.places, MPI_INT,
                 MPI_COMM_WORLD);
  print_received("allgatherv");
  MPI_Allgather(out.data, BLOCK, MPI_INT, in.data, BLOCK, MPI_INT, MPI_COMM_WORLD);
  in.data[rank * BLOCK] += rank;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in.data, BLOCK, MPI_INT, MPI_COMM_WORLD);
  print_received("allgather");
}

/* To each rank and back from it, its own block also in place; other ranks have no lists. */
static void try_rooted(void) {
  for (int root = 0; root < ranks; ++root) {
    const int has_lists = rank == root;
    int* const counts = has_lists ? in.counts : NULL;
    int* const places = has_lists ? in.places : NULL;
    void* const own = has_lists && root % 2 == 1 ? MPI_IN_PLACE : out.data;
    fill();
    for (int peer = 0; peer < ranks; ++peer) in.counts[peer] = (peer + root) % 4 * 5;
    MPI_Gatherv(own, in.counts[rank], MPI_INT, in.data, counts, places, MPI_INT, root,
                MPI_COMM_WORLD);
    print_received("gatherv");
    MPI_Scatterv(in.data, counts, places, MPI_INT, own, in.counts[rank], MPI_INT, root,
                 MPI_COMM_WORLD);
    print_checksum("scatterv", out.data, sizeof out.data);
  }
}

#if MPI_VERSION >= 4
static void try_wide_counts(void) {
  MPI_Count counts_out[MOST_RANKS], counts_in[MOST_RANKS];
  MPI_Aint places_out[MOST_RANKS], places_in[MOST_RANKS];
  MPI_Datatype types[MOST_RANKS];
  fill();
  for (int peer = 0; peer < ranks; ++peer) {
    counts_out[peer] = out.counts[peer];
    counts_in[peer] = in.counts[peer];
    places_out[peer] = out.places[peer];
    places_in[peer] = in.places[peer];
    types[peer] = MPI_INT;
  }
  MPI_Alltoall_c(out.data, BLOCK, MPI_INT, in.data, BLOCK, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoallv_c(out.data, counts_out, places_out, MPI_INT, in.data, counts_in, places_in, MPI_INT,
                  MPI_COMM_WORLD);
  for (int peer = 0; peer < ranks; ++peer) {
    places_out[peer] *= (MPI_Aint)sizeof(int);
    places_in[peer] *= (MPI_Aint)sizeof(int);
  }
  MPI_Alltoallw_c(out.data, counts_out, places_out, types, in.data, counts_in, places_in, types,
                  MPI_COMM_WORLD);
  MPI_Allgather_c(out.data, BLOCK, MPI_INT, in.data, BLOCK, MPI_INT, MPI_COMM_WORLD);
  for (int peer = 0; peer < ranks; ++peer) {
    counts_in[peer] = peer;
    places_in[peer] = BLOCK * peer;
  }
  MPI_Allgatherv_c(out.data, rank, MPI_INT, in.data, counts_in, places_in, MPI_INT, MPI_COMM_WORLD);
  MPI_Scatterv_c(in.data, counts_in, places_in, MPI_INT, out.data, rank, MPI_INT, ranks - 1,
                 MPI_COMM_WORLD);
  MPI_Gatherv_c(out.data, rank, MPI_INT, in.data, counts_in, places_in, MPI_INT, 0, MPI_COMM_WORLD);
  print_received("wide counts");
}
#endif

/* The lower half of the ranks talks to the upper half. */
static void try_intercommunicator(void) {
  MPI_Comm half, inter;
  const int upper = rank >= ranks / 2;
  MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : ranks / 2, 5, &inter);
  try_alltoall(half, "half of the ranks");
  fill();
  MPI_Alltoall(out.data, BLOCK, MPI_INT, in.data, BLOCK, MPI_INT, inter);
  print_received("intercommunicator");
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

static int errors;

static void count_error(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  (void)code;
  ++errors;
}

/* Wrong calls: the handler hears of each of them once. */
static void try_errors(void) {
  MPI_Errhandler handler;
  MPI_Comm own;
  int code = MPI_SUCCESS;
  MPI_Comm_dup(MPI_COMM_SELF, &own);
  MPI_Comm_create_errhandler(count_error, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(own, handler);
  code = MPI_Alltoall(out.data, -1, MPI_INT, in.data, -1, MPI_INT, own);
  MPI_Error_class(code, &code);
  if (rank == 0) printf("negative count: %s, %d\n", code == MPI_ERR_COUNT ? "count" : "?", errors);
  code = MPI_Alltoall(out.data, 1, MPI_INT, in.data, 1, MPI_INT, MPI_COMM_NULL);
  MPI_Error_class(code, &code);
  if (rank == 0) printf("no communicator: %s, %d\n", code == MPI_ERR_COMM ? "comm" : "?", errors);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&own);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  try_alltoall(MPI_COMM_WORLD, "alltoall");
  try_alltoallv();
  try_alltoallw();
  try_in_place();
  try_allgather();
  try_rooted();
#if MPI_VERSION >= 4
  try_wide_counts();
#endif
  if (ranks > 1) try_intercommunicator();
  try_errors();
  MPI_Finalize();
  /* A status of its own, to be passed on. */
  return argc > 1 ? atoi(argv[1]) : 0;
}
