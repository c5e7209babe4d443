#!/usr/bin/env bash
# ELPA's eigenvectors, bit for bit.
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

# Its sums must not depend on who is ready first.
export OMP_NUM_THREADS=1

for option in '--algorithm auto' '--algorithm four-stage'; do
  # shellcheck disable=SC2086
  compare 4 "$bin/elpa_eigen" $option
  grep -qx 'the values add up to the trace' "$work/with" || fail 'the eigenvalues are wrong'
  expect_calls MPI_Alltoallv 4
  grep -q '"module": ".*/libelpa' "$stats" || fail 'the calls do not come from ELPA'
done
