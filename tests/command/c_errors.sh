#!/usr/bin/env bash
# Where errors are fatal, as MPI has it unless told otherwise, a program of the C interface ends with
# one sentence that says what is wrong.
set -euo pipefail

program=$(dirname "$SHUNT")/hello_alltoallv_c

# refuse SENTENCE VARIABLE VALUE: the program fails and stderr has the sentence.
refuse() {
  local sentence=$1 output status=0
  # shellcheck disable=SC2086
  output=$(env "$2=$3" $SHUNT_MPIRUN -n 1 "$program" 2>&1) || status=$?
  if ((status == 0)) || ! grep -qF -- "$sentence" <<<"$output"; then
    echo "$2=$3: status $status, no sentence \"$sentence\" in"
    echo "$output"
    exit 1
  fi
}

refuse 'SHUNT_Alltoallv on rank 0: SHUNT_ALGORITHM is "a9": there is no algorithm "a9"' \
  SHUNT_ALGORITHM a9
refuse 'SHUNT_Alltoallv on rank 0: SHUNT_MODE is "fast"; it is one of blocking, single and dual' \
  SHUNT_MODE fast
refuse 'SHUNT_CHECK is "maybe"; it is 0 or 1' SHUNT_CHECK maybe

for setting in SHUNT_ALGORITHM=four-stage SHUNT_ALGORITHM=native SHUNT_MODE=blocking SHUNT_CHECK=1; do
  # shellcheck disable=SC2086
  output=$(env "$setting" $SHUNT_MPIRUN -n 3 "$program")
  if [[ $output != '3 ranks exchanged blocks from C, 0 wrong' ]]; then
    echo "$setting: $output"
    exit 1
  fi
done
