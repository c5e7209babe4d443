/* In the place of MPI_Alltoallv, from C: as it stands, and as a request that is started often. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "shunt/shunt.h"

/* Numbers that are not what rank k sent in block k. */
static int count_wrong(const int* received, int ranks, int block, int step) {
  int wrong = 0;
  for (int i = 0; i < ranks * block; ++i) {
    if (received[i] != i / block + step) ++wrong;
  }
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  int ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  /* Rank r sends k + 1 numbers to rank k, so it receives r + 1 from each. */
  const size_t entries = (size_t)ranks;
  int* layout = malloc(4 * entries * sizeof *layout);
  int* send = malloc(entries * (entries + 1) / 2 * sizeof *send);
  int* receive = malloc(entries * (size_t)(rank + 1) * sizeof *receive);
  if (layout == NULL || send == NULL || receive == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  int* send_counts = layout;
  int* send_places = layout + ranks;
  int* receive_counts = layout + 2 * ranks;
  int* receive_places = layout + 3 * ranks;
  int end = 0;
  for (int k = 0; k < ranks; ++k) {
    send_counts[k] = k + 1;
    send_places[k] = end;
    receive_counts[k] = rank + 1;
    receive_places[k] = k * (rank + 1);
    for (int i = 0; i < send_counts[k]; ++i) send[end + i] = rank;
    end += send_counts[k];
  }

  SHUNT_Alltoallv(send, send_counts, send_places, MPI_INT, receive, receive_counts, receive_places,
                  MPI_INT, MPI_COMM_WORLD);
  int wrong = count_wrong(receive, ranks, rank + 1, 0);

  SHUNT_Request request;
  SHUNT_Alltoallv_init(send, send_counts, send_places, MPI_INT, receive, receive_counts,
                       receive_places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int step = 1; step <= 10; ++step) {
    for (int i = 0; i < end; ++i) send[i] = rank + step;
    SHUNT_Start(&request);
    SHUNT_Wait(&request, MPI_STATUS_IGNORE);
    wrong += count_wrong(receive, ranks, rank + 1, step);
  }
  SHUNT_Request_free(&request);

  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks exchanged blocks from C, %d wrong\n", ranks, wrong);
  free(layout);
  free(send);
  free(receive);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
