#!/usr/bin/env bash
# FFTW's transform of a cube, there and back, bit for bit.
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

for ranks in 4 7; do
  for option in '--algorithm auto' '--algorithm four-stage' '--mode blocking'; do
    # shellcheck disable=SC2086
    compare "$ranks" "$bin/fftw_cube" $option
    [[ $(grep -c '^the way back ends where it began$' "$work/with") == 2 ]] ||
      fail 'the transform is not undone'
    # A transpose there and one back. Seven ranks divide neither cube evenly.
    if ((ranks == 4)); then
      expect_calls MPI_Alltoall 8
      expect_calls MPI_Alltoallv 8
    else
      expect_calls MPI_Alltoallv 28
    fi
    grep -q '"module": ".*/libfftw3_mpi' "$stats" || fail 'the calls do not come from FFTW'
  done
done
