#!/usr/bin/env bash
# What the library's own exchanges leave in SHUNT_TRACE, and the commands for traces, right and wrong.
# shellcheck disable=SC2086
# shellcheck source=tests/command/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

bin=$(dirname "$SHUNT")

# record FOLDER RANKS PROGRAM...
record() {
  local folder=$1 ranks=$2
  shift 2
  SHUNT_TRACE=$work/$folder $SHUNT_MPIRUN -n "$ranks" "$bin/$1" "${@:2}" >/dev/null ||
    fail "$1 fails while it is recorded"
}

# expect FOLDER FIELD VALUE: in what `shunt trace --json` says of its only trace.
expect() {
  local output
  output=$("$SHUNT" trace "$work/$1" --json)
  grep -qF "\"$2\": $3" <<<"$output" || fail "$1: not \"$2\": $3 in: $output"
}

# Rank r of 3 sends r + 1 doubles to each: 3 * 8 * (1 + 2 + 3) bytes, 100 times.
record plan 3 hello_plan
expect plan calls 100
expect plan bytes 144
expect plan longest_block_bytes 24
expect plan imbalance 1.5
expect plan function '"plan_alltoallv"'
expect plan communicator '"MPI_COMM_WORLD"'
expect plan filled_percent 100.0

record c 2 hello_alltoallv_c
expect c function '"SHUNT_Alltoallv'
record cpp 2 hello_alltoallv
expect cpp function '"alltoallv"'

# Nothing is left where nothing is asked for.
(cd "$work" && $SHUNT_MPIRUN -n 2 "$bin/hello_plan" >/dev/null)
[[ -z $(find "$work" -newer "$work/cpp" -name '*.shunt' ! -path "$work/cpp/*") ]] ||
  fail 'traces without SHUNT_TRACE'

# All-gathers, by the interfaces for C++ and for C.
record cpp_allgather 2 shunt bench allgather --sources 1 --length 24 --rounds 1 --form one-shot
expect cpp_allgather function '"allgatherv"'
expect cpp_allgather kind '"allgather"'
expect cpp_allgather bytes 48 # which both ranks have in the end
record plan_allgather 2 shunt bench allgather --sources 2 --length 24 --rounds 1 --form plan
expect plan_allgather function '"plan_allgatherv"'
expect plan_allgather bytes 96
record c_allgather 2 mpi_tests --gtest_filter='CAllgatherExactness*'
output=$("$SHUNT" trace "$work/c_allgather" --json)
for function in SHUNT_Allgather{,v}{,_init}{,_c}; do
  grep -qE "\"function\": \"([A-Za-z_]* )*${function}[\" ]" <<<"$output" ||
    fail "no allgather by $function in: $output"
done
! grep -q '"kind": "exchange"' <<<"$output" || fail "an all-gather is recorded as an exchange: $output"

# They are made again by all-gathers, with a sum of their own.
output=$("$SHUNT" replay "$work/plan_allgather" --rounds 2 --allgather recursive-halving) || fail "replay: $output"
grep -q '^all-gathers: [1-9][0-9]*; recorded: [0-9]*\.[0-9]* s$' <<<"$output" || fail "replay: $output"
grep -q '^recursive-halving ' <<<"$output" || fail "no sum of recursive-halving: $output"
grep -qE '^verified [1-9][0-9]* exchanges, 0 wrong bytes$' <<<"$output" || fail "replay: $output"

# What is recorded can be looked at as an all-gather.
trace=$(echo "$work"/plan_allgather/*.shunt)
output=$("$SHUNT" explain -P 2 --algorithm recursive-halving --sources "$trace#0") || fail "explain: $output"
grep -q '^recursive-halving' <<<"$output" || fail "explain: $output"
"$SHUNT" draw traffic -P 2 --algorithm recursive-halving --sources "$trace#0" | grep '</svg>' >/dev/null ||
  fail 'no picture of a recorded all-gather'

# As in docs/command.md. The command starts as many ranks as there were.
output=$("$SHUNT" replay "$work/plan" --rounds 3) || fail "replay: $output"
grep -q '^all 100 calls; recorded: [0-9]*\.[0-9]* s$' <<<"$output" || fail "replay: $output"
grep -qE '^verified [1-9][0-9]* exchanges, 0 wrong bytes$' <<<"$output" || fail "replay: $output"
(($(wc --max-line-length <<<"$output") <= 80 + ${#work})) || fail "long lines: $output"
output=$($SHUNT_MPIRUN -n 3 "$SHUNT" replay "$work/plan/comm-0-0.shunt" --rounds 1 --algorithm linear \
  --algorithm two-stage --form one-shot --json) || fail "replay by mpirun: $output"
grep -q '"wrong_bytes": 0' <<<"$output" || fail "replay --json: $output"
[[ $(grep -c '"algorithm": "two-stage"' <<<"$output") == 2 ]] || fail "not a line and a sum of two-stage: $output"

# refuse SENTENCE COMMAND...: status 2 and the sentence.
refuse() {
  local sentence=$1 status=0 output
  shift
  output=$("$@" 2>&1 >/dev/null) || status=$?
  if ((status != 2)) || [[ $(head -n 1 <<<"$output") != "shunt: $sentence" ]]; then
    fail "$*: status $status and: $output"
  fi
}

refuse "$trace#0 says which ranks have which blocks, and goes without --length" \
  "$SHUNT" explain -P 2 --algorithm recursive-halving --sources "$trace#0" --length 5

mkdir "$work/empty"
for command in trace replay; do
  refuse "$work/none.shunt: there is no such regular file" "$SHUNT" $command "$work/none.shunt"
  refuse "$work/empty: there is no trace (.shunt) in this folder" "$SHUNT" $command "$work/empty"
  refuse 'trace is required' "$SHUNT" $command
done
printf '{"format":"shunt-trace","version":1,"ranks":2,"element_bytes":1,%s\n' \
  '"matrices":[{"bytes":2}],"calls":[]}' >"$work/short.shunt"
refuse "$work/short.shunt:1: the file ends before its last matrix" "$SHUNT" trace "$work/short.shunt"
wrong="$work/plan has 3 ranks, but there are 2 to replay it; leave out -n, or start as many"
refuse "$wrong" "$SHUNT" replay "$work/plan" -n 2
errors=$($SHUNT_MPIRUN -n 2 "$SHUNT" replay "$work/plan" 2>&1 >/dev/null) &&
  fail 'replay takes another number of ranks'
[[ $(grep -c "^shunt: $wrong$" <<<"$errors") == 1 ]] || fail "not one sentence: $errors"
# shellcheck disable=SC2016
refuse 'there is no algorithm "a9"; `shunt algorithms` lists them' \
  "$SHUNT" replay "$work/plan" --algorithm a9
# shellcheck disable=SC2016
refuse 'there is no all-gather algorithm "four-stage"; `shunt algorithms --allgather` lists them' \
  "$SHUNT" replay "$work/plan" --allgather four-stage
