/* What the ranks received, as one line of text that is the same whenever the bytes are. */
#ifndef SHUNT_TESTS_INTERPOSE_CHECKSUM_H
#define SHUNT_TESTS_INTERPOSE_CHECKSUM_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

/* FNV-1a of this rank's bytes; the ranks' sums are added up, each in a place of its own. Collective
   over MPI_COMM_WORLD. */
static void print_checksum(const char* name, const void* data, size_t bytes) {
  int rank = 0;
  uint64_t sum = UINT64_C(14695981039346656037);
  uint64_t total = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (size_t i = 0; i < bytes; ++i) {
    sum = (sum ^ ((const unsigned char*)data)[i]) * UINT64_C(1099511628211);
  }
  sum *= 2 * (uint64_t)rank + 1;
  MPI_Reduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%s: %016llx\n", name, (unsigned long long)total);
}

#endif
