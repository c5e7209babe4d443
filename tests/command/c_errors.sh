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

# on_rank_1 NAME=VALUE: the program on 3 ranks, of which one alone has the variable.
on_rank_1() {
  # shellcheck disable=SC2016,SC2086
  $SHUNT_MPIRUN -n 3 bash -c '
    if ((${OMPI_COMM_WORLD_RANK-$PMI_RANK} == 1)); then export "$0"; fi
    exec "$1"' "$1" "$program" 2>&1
}

# Calls of ranks that have other variables do not match: all ranks fail, and none waits for others.
for setting in SHUNT_ALGORITHM=four-stage SHUNT_ALLGATHER=native SHUNT_MODE=blocking \
  SHUNT_PACKET=64 SHUNT_MEMORY=1M SHUNT_CHECK=1 SHUNT_EFFORT=estimate SHUNT_LEARN=0; do
  if output=$(on_rank_1 "$setting") ||
    ! grep -F "SHUNT_Alltoallv on rank " <<<"$output" |
    grep -qF ": ${setting%=*} is not the same on all ranks: here it is "; then
    echo "$setting on one rank: $output"
    exit 1
  fi
done
if output=$(on_rank_1 SHUNT_TRACE=/nowhere) ||
  ! grep -qF ': SHUNT_TRACE is set on some ranks only: here it is ' <<<"$output"; then
  echo "a trace on one rank: $output"
  exit 1
fi
# What a rank may have alone, or has anyway.
for setting in SHUNT_MODE=dual SHUNT_CHECK=0 SHUNT_WISDOM=/nowhere/at/all SHUNT_PROFILE=/nowhere; do
  output=$(on_rank_1 "$setting")
  if [[ $output != '3 ranks exchanged blocks from C, 0 wrong' ]]; then
    echo "$setting on one rank: $output"
    exit 1
  fi
done
