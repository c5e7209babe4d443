#!/usr/bin/env bash
# `shunt topo` shows the machine, and under mpirun nodes and ranks, as they are.
set -euo pipefail

fail() {
  echo "$*"
  exit 1
}

# expect LINE OUTPUT: some line of the output is like that.
expect() {
  grep -qE "^ *$1\$" <<<"$2" || fail "no line \"$1\" in:" "$2"
  (($(wc --max-line-length <<<"$2") <= 80)) || fail "lines of more than 80 characters:" "$2"
}

# expect_json ENTRY OUTPUT: the JSON has the entry, wherever that is.
expect_json() {
  tr -d ' \n' <<<"$2" | grep -F "$1" >/dev/null || fail "no $1 in:" "$2"
}

# A machine that is known.
known="Package:2 NUMANode:1(memory=3221225472) L3Cache:1(size=1572864) Core:4 PU:2"
output=$(HWLOC_SYNTHETIC=$known "$SHUNT" topo)
expect '2 +8 +16 +2 +6 GiB' "$output"
expect 'L3 +1.5 MiB +2 +8' "$output"
output=$(HWLOC_SYNTHETIC=$known "$SHUNT" topo --json)
expect_json '"packages":2,' "$output"
expect_json '"model":null,' "$output"
expect_json '{"bytes":1572864,"count":2,"name":"L3","processing_units":8}' "$output"

# This one: the processors that a process may use, and none else.
one=$(taskset --cpu-list --pid $$ | grep -oE '[0-9]+$')
expect "this process may use processors $one" "$(taskset --cpu-list "$one" "$SHUNT" topo)"
expect_json "\"processors\":[$one]" "$(taskset --cpu-list "$one" "$SHUNT" topo --json)"

# ranks NODES ARGUMENT...: 7 ranks under that layout; none: the machine's.
ranks() {
  local layout=()
  if [[ $1 != none ]]; then layout=("SHUNT_NODES=$1"); fi
  # shellcheck disable=SC2086
  env "${layout[@]}" $SHUNT_MPIRUN -n 7 "$SHUNT" topo "${@:2}"
}

host=$(hostname)
output=$(ranks none)
# What is known of the MPI that runs: both have faults.
expect 'faults of this MPI that auto keeps away from:' "$output"
expect 'MPI_All[a-z]+ +[a-z].*' "$output"
expect '(Open MPI v|MPICH Version: *)[0-9.]+' "$output"
expect '7 ranks on 1 node, as the machine has them' "$output"
expect 'four-stage would use an array of 3 columns and 3 rows, the last row of 1' "$output"
expect "0 +$host +7 +[0-9]+ +4 MiB +0-6" "$output"
if (($(nproc) < 7)); then expect 'more ranks than processors on node 0' "$output"; fi

output=$(ranks blocked:3)
expect '7 ranks on 3 nodes, as SHUNT_NODES=blocked:3 has them' "$output"
expect "1 +$host +3 +[0-9]+ +4 MiB +3-5" "$output"
expect "2 +$host +1 +[0-9]+ +none +6" "$output"
expect "0 +$host +4 +[0-9]+ +4 MiB +0, 2, 4, 6" "$(ranks round-robin:2)"

output=$(ranks 6,1 --json)
expect_json '"function":"MPI_All' "$output"
expect_json '"four_stage_array":{"columns":3,"remainder":1,"rows":3}' "$output"
expect_json '"node":1,' "$output"
expect_json '"ranks":[0,1,2,3,4,5]' "$output"
expect_json '"shared_bytes_per_rank":4194304' "$output"
expect_json '"shunt_nodes":"6,1"' "$output"

# One rank says what is wrong with all.
status=0
errors=$(ranks 6,2 2>&1) || status=$?
((status == 2)) || fail "the wrong layout: status $status"
[[ $(grep -c '^shunt: SHUNT_NODES: the nodes "6,2" have 8 ranks' <<<"$errors") == 1 ]] ||
  fail "the wrong layout:" "$errors"
