/*
 * Calls of MPI_Alltoallv whose traffic changes its shape: each rank has something for all, then one
 * pair of ranks has much, then few have anything; and the same again. Every byte is checked. Prints
 * how many calls were made: six times the argument, or six times 150.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_RANKS = 64, LONGEST = 5000, SHAPES = 3 };

static int rank, ranks;
static unsigned char *out, *in;
static int sent[MOST_RANKS], received[MOST_RANKS], places[MOST_RANKS];

/* Bytes from one rank to another. */
static int length(int shape, int from, int to) {
  if (shape == 0) return 40 + (from + to) % 3;
  if (shape == 1) return from == 0 && to == ranks - 1 ? LONGEST : 8;
  return (from + 2 * to) % 5 == 0 ? 3 : 0;
}

static unsigned char byte(int call, int from, int to, int k) {
  return (unsigned char)(call + 7 * from + 31 * to + 3 * k);
}

static void make_call(int shape, int call) {
  for (int peer = 0; peer < ranks; ++peer) {
    sent[peer] = length(shape, rank, peer);
    received[peer] = length(shape, peer, rank);
    places[peer] = peer * LONGEST;
    for (int k = 0; k < sent[peer]; ++k) out[places[peer] + k] = byte(call, rank, peer, k);
    for (int k = 0; k < received[peer]; ++k) in[places[peer] + k] = 0xEE;
  }
  MPI_Alltoallv(out, sent, places, MPI_BYTE, in, received, places, MPI_BYTE, MPI_COMM_WORLD);
  for (int peer = 0; peer < ranks; ++peer) {
    for (int k = 0; k < received[peer]; ++k) {
      if (in[places[peer] + k] == byte(call, peer, rank, k)) continue;
      fprintf(stderr, "shape %d, call %d: byte %d from %d to %d is wrong\n", shape, call, k, peer,
              rank);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int calls = argc > 1 ? atoi(argv[1]) : 150;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  out = malloc((size_t)ranks * LONGEST);
  in = malloc((size_t)ranks * LONGEST);
  for (int shape = 0; shape < 2 * SHAPES; ++shape) {
    for (int call = 0; call < calls; ++call) make_call(shape % SHAPES, call);
  }
  if (rank == 0) printf("%d calls\n", 2 * SHAPES * calls);
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
