/* Every rank sends its number to all; exits 1 if a wrong one arrives. */
#include <mpi.h>
#include <shunt/shunt.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank = 0;
  int ranks = 1;
  int wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int* sent = malloc(sizeof(int) * (size_t)ranks);
  int* received = calloc((size_t)ranks, sizeof(int));
  for (int k = 0; k < ranks; ++k) sent[k] = rank;
  SHUNT_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD);
  for (int k = 0; k < ranks; ++k) wrong += received[k] != k;
  free(sent);
  free(received);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
