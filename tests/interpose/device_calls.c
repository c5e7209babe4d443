/*
 * All of MPI's all-to-all and all-gather collectives with buffers on a device: of one rank, of
 * either side, in the first call on a communicator and after hundreds with memory of the host. The
 * device's library is preloaded, or the file that the argument names, which is loaded after those
 * calls, and by one rank alone. The output must be the same with and without Shunt.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "checksum.h"

enum { BLOCK = 5, MOST_RANKS = 8, SPACE = BLOCK * MOST_RANKS };
enum { HOST, SEND, RECEIVE, BOTH, PLACES };

typedef void (*Open)(int);
typedef void* (*Allocate)(size_t);

static int rank, ranks;
static int counts[MOST_RANKS], places[MOST_RANKS], byte_places[MOST_RANKS];
static MPI_Datatype types[MOST_RANKS];
static int host_out[SPACE], host_in[SPACE];
static int *device_out, *device_in;
static Open open_device;

static void* symbol(void* library, const char* name) {
  void* const found = dlsym(library, name);
  if (!found) {
    fprintf(stderr, "there is no %s\n", name);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  return found;
}

/* Of this rank. */
static void use_device(void* library) {
  union {
    void* object;
    Open open;
    Allocate allocate;
    void (*use)(Open);
  } function;
  function.object = symbol(library, "device_allocate");
  device_out = function.allocate(sizeof host_out);
  device_in = function.allocate(sizeof host_in);
  function.object = symbol(library, "device_open");
  open_device = function.open;
  function.object = symbol(RTLD_DEFAULT, "device_mpi_use");
  function.use(open_device);
}

static void set_open(int open) {
  if (open_device) open_device(open);
}

static void call(int form, const int* out, int* in, MPI_Comm comm) {
  const void* from = out ? (const void*)out : MPI_IN_PLACE;
  if (form == 0) MPI_Alltoall(from, BLOCK, MPI_INT, in, BLOCK, MPI_INT, comm);
  if (form == 1) MPI_Alltoallv(from, counts, places, MPI_INT, in, counts, places, MPI_INT, comm);
  if (form == 2) {
    MPI_Alltoallw(from, counts, byte_places, types, in, counts, byte_places, types, comm);
  }
  if (form == 3) MPI_Allgather(from, BLOCK, MPI_INT, in, BLOCK, MPI_INT, comm);
  if (form == 4) MPI_Allgatherv(from, BLOCK, MPI_INT, in, counts, places, MPI_INT, comm);
}

/* One call, in which rank 0 has these buffers on its device. */
static void try_places(int form, int where, int in_place, MPI_Comm comm) {
  const int mine = rank == 0 ? where : HOST;
  int* const out = mine == SEND || mine == BOTH ? device_out : host_out;
  int* const in = mine == RECEIVE || mine == BOTH ? device_in : host_in;
  set_open(1);
  for (int i = 0; i < SPACE; ++i) {
    out[i] = 1000 * rank + i;
    in[i] = -1000 * rank - i;
  }
  set_open(0);
  call(form, in_place ? NULL : out, in, comm);
  set_open(1);
  for (int i = 0; i < SPACE; ++i) host_in[i] = in[i];
  set_open(0);
  print_checksum("a call", host_in, sizeof host_in);
}

static void try_all_places(MPI_Comm comm) {
  for (int form = 0; form < 5; ++form) {
    for (int where = HOST; where < PLACES; ++where) try_places(form, where, 0, comm);
    try_places(form, BOTH, 1, comm);
  }
}

static void call_often(MPI_Comm comm) {
  for (int k = 0; k < 300; ++k) {
    call(0, host_out, host_in, comm);
    call(3, host_out, host_in, comm);
  }
}

int main(int argc, char** argv) {
  MPI_Comm comm;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int k = 0; k < ranks; ++k) {
    counts[k] = BLOCK;
    places[k] = k * BLOCK;
    byte_places[k] = k * BLOCK * (int)sizeof(int);
    types[k] = MPI_INT;
  }
  if (argc == 1) {
    use_device(RTLD_DEFAULT);
    /* The first call on a communicator. */
    for (int where = SEND; where < PLACES; ++where) {
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
      try_places(1, where, 0, comm);
      MPI_Comm_free(&comm);
    }
    try_all_places(MPI_COMM_WORLD);
  }
  call_often(MPI_COMM_WORLD);
  if (argc > 1 && rank == 0) use_device(dlopen(argv[1], RTLD_NOW | RTLD_LOCAL));
  try_all_places(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
