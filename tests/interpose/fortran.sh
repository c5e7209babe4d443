#!/usr/bin/env bash
# Programs in Fortran, by each of its interfaces to MPI: every call arrives.
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

for interface in mpif_h mpi mpi_f08; do
  for ranks in 2 5; do
    compare "$ranks" "$bin/collectives_$interface"
    expect_calls MPI_Alltoall $((2 * ranks))
    expect_calls MPI_Alltoallv $((2 * ranks))
    expect_calls MPI_Alltoallw $((3 * ranks))
    expect_calls MPI_Allgather $((3 * ranks))
    expect_calls MPI_Allgatherv $((3 * ranks))
    expect_calls MPI_Gatherv "$ranks"
    expect_calls MPI_Scatterv "$ranks"
  done
  # Not MPI's own library, through which the calls may come. A compiler may make one call of two.
  sites=$(grep -c '"module": ' "$stats")
  [[ $sites -ge 15 && $(grep -c "\"module\": \".*/collectives_$interface\"" "$stats") == "$sites" ]] ||
    fail "the calls of $interface do not come from it: $(cat "$stats")"
  compare 4 "$bin/collectives_$interface" --disable
  expect_calls MPI_Alltoallw 12 12
  expect_calls MPI_Allgatherv 12 12
done
