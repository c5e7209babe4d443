#!/usr/bin/env bash
# The bench makes the blocks as long as the load that it is given allows, and no longer.
set -euo pipefail

# expect PATTERN MAXIMUM SENT: on 3 ranks with 1000 bytes each, elements of the longest block, and
# bytes of the rank that sends most.
expect() {
  local pattern=$1 maximum=$2 sent=$3 output
  # shellcheck disable=SC2086
  output=$($SHUNT_MPIRUN -n 3 "$SHUNT" bench --load 1000 --pattern "$pattern" --algorithm linear \
    "linear shared=once" --mode dual --rounds 1 --json)
  if ! grep -q "\"maximum_elements\": $maximum," <<<"$output" ||
    ! grep -q "\"largest_send_bytes\": $sent," <<<"$output" ||
    ! grep -q '"algorithm": "linear shared=once"' <<<"$output"; then
    echo "bench --load 1000 --pattern $pattern: not $maximum elements, $sent bytes:"
    echo "$output"
    exit 1
  fi
}

# Elements of 8 bytes: 41 of them to each of three ranks; 123 to one, one to the others.
expect uniform 41 984
expect pattern1 123 1000

# "auto" learns before anything is timed: a round and two warm-ups of MPI's own, linear and "auto", for
# which there are as many more as are asked for.
# shellcheck disable=SC2086
output=$($SHUNT_MPIRUN -n 2 "$SHUNT" bench --pattern uniform --maximum 8 --algorithm linear auto \
  --mode dual --form one-shot --rounds 1 --warm-up 30)
grep -qx 'verified 39 exchanges, 0 wrong bytes' <<<"$output" || {
  echo "bench --warm-up 30: $output"
  exit 1
}

# In batches of ten, the last exchange of each is verified: one batch of warm-ups, another that is
# timed, and three in which "auto" learns.
# shellcheck disable=SC2086
output=$($SHUNT_MPIRUN -n 2 "$SHUNT" bench --pattern uniform --maximum 8 --algorithm linear auto \
  --mode dual --form one-shot --batch 10 --rounds 1 --warm-up 30)
grep -qx 'verified 9 exchanges, 0 wrong bytes' <<<"$output" || {
  echo "bench --batch 10: $output"
  exit 1
}

# The time is that of one exchange, however many follow each other: 20 batches of 50 which take the
# least of all times are over sooner than the bench.
begin=${EPOCHREALTIME/./}
# shellcheck disable=SC2086
least=$($SHUNT_MPIRUN -n 2 "$SHUNT" bench --pattern uniform --load 1048576 --algorithm linear \
  --mode dual --form one-shot --batch 50 --rounds 20 | awk '$1 == "linear" { print $5 }')
passed=$((${EPOCHREALTIME/./} - begin))
awk -v least="$least" -v passed="$passed" 'BEGIN { exit !(0 < least && 20 * 50 * least < passed) }' || {
  echo "bench: $least us in batches of 50, though all of it took $passed us"
  exit 1
}
