#!/usr/bin/env bash
# The examples run at any number of ranks, and say that their results are right.
set -euo pipefail

bin=$(dirname "$SHUNT")

# expect PATTERN RANKS EXAMPLE ARGUMENT...: status 0, and a line of the output is like the pattern.
expect() {
  local pattern=$1 ranks=$2 example=$3 output status=0
  shift 3
  # shellcheck disable=SC2086
  output=$($SHUNT_MPIRUN -n "$ranks" "$bin/$example" "$@") || status=$?
  if ((status != 0)) || ! grep -qxE -- "$pattern" <<<"$output"; then
    echo "$example $* on $ranks ranks: status $status, no line like \"$pattern\" in"
    echo "$output"
    exit 1
  fi
  if [[ $example != hello_* ]] && (($(wc --max-line-length <<<"$output") > 80)); then
    echo "$example $* on $ranks ranks prints lines of more than 80 characters"
    exit 1
  fi
}

for ranks in 1 5; do
  expect "$((1000 * ranks)) parcels arrived, 0 wrong" "$ranks" hello_records
  expect '100 executions, 0 wrong' "$ranks" hello_plan
  expect '1000 x 700 elements on .* ranks went to rows and back, 0 wrong' "$ranks" \
    hello_redistribution
  expect "$ranks ranks exchanged blocks, 0 wrong" "$ranks" hello_alltoallv
  expect "$ranks ranks exchanged blocks from C, 0 wrong" "$ranks" hello_alltoallv_c
  expect " *$ranks ranks exchanged blocks from Fortran, 0 wrong" "$ranks" hello_alltoallv_fortran
  expect 'the result is right' "$ranks" pagerank --iterations 5
  expect 'verified [0-9]+ exchanges, 0 wrong bytes' "$ranks" edge_shuffle --rounds 1
done

# One warm-up and two rounds of four kinds of exchange, of which MPI itself has three.
expect 'verified 33 exchanges, 0 wrong bytes' 4 edge_shuffle --rounds 2 --owner hash --scale 2 \
  --algorithm four-stage --algorithm auto
expect ' *"wrong_bytes": 0' 3 edge_shuffle --rounds 1 --algorithm linear --json
expect 'Start it by mpirun: .*' 2 edge_shuffle --help
expect 'Start it by mpirun: .*' 2 pagerank --help

# Times of any length leave a blank between the columns: a line of numbers has seven fields.
columns=$("$bin/edge_columns")
if (($(wc --max-line-length <<<"$columns") > 80)) || grep -qE '[0-9]\.\.[0-9.e+]*\.\.' <<<"$columns" ||
  [[ $(awk '/\.\.[0-9]/ { print NF }' <<<"$columns" | sort -u) != 7 ]]; then
  echo "columns run together in"
  echo "$columns"
  exit 1
fi

# expect_refusal SENTENCE PROGRAM ARGUMENT...: status 2, and one of two ranks says the sentence.
expect_refusal() {
  local sentence=$1 program=$2 status=0 output
  shift 2
  # shellcheck disable=SC2086
  output=$($SHUNT_MPIRUN -n 2 "$bin/$program" "$@" 2>&1) || status=$?
  if ((status != 2)) || (($(grep -cF "$sentence" <<<"$output") != 1)); then
    echo "$program $*: status $status, and not once \"$sentence\" in"
    echo "$output"
    exit 1
  fi
}

expect_refusal 'a9' edge_shuffle --algorithm a9
for program in edge_shuffle pagerank conformance gemr2d_bench; do
  expect_refusal 'The following argument was not expected: --frobnicate' "$program" --frobnicate
done
