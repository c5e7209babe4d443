#!/usr/bin/env bash
# What the command prints fits a page of 80 columns, as does the help of all subcommands; and nothing
# in it says "1 ranks".
# shellcheck disable=SC2086
# shellcheck source=tests/command/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

export LC_ALL=C.UTF-8

# fits WHAT: what is in the file "text".
fits() {
  (($(wc --max-line-length <"$work/text") <= 80)) ||
    fail "shunt $*: wide lines: $(awk 'length > 80' "$work/text")"
  ! grep -nE '(^|[^0-9.])1 (ranks|nodes|stages|steps|start-ups|exchanges|all-gathers|bytes|elements|rounds|calls|messages|columns|rows|sources|schedules|algorithms|places|records|kinds|indices)' \
    "$work/text" || fail "shunt $*: a plural of one"
}

# check ARGUMENT...
check() {
  "$SHUNT" "$@" >"$work/text" 2>/dev/null || fail "shunt $*: status $?"
  fits "$*"
}

# check_help ARGUMENT...: that of a subcommand, and of those that it has.
check_help() {
  local subcommand subcommands
  check "$@" --help
  mapfile -t subcommands < <(sed -n '/^Subcommands:/,$p' "$work/text" | grep -oE '^  [a-z]+')
  for subcommand in "${subcommands[@]}"; do
    check_help "$@" $subcommand
  done
  checked+=("$*")
}
checked=()
check_help
((${#checked[@]} >= 26)) || fail "the subcommands are ${checked[*]}"

for ranks in 1 2 23 1000; do check algorithms -P $ranks; done
check algorithms
check algorithms --allgather
check algorithms --candidates
check algorithms --candidates --allgather
check patterns
check env
check topo
for ranks in 1 2 61; do
  check explain -P $ranks
  check explain -P $ranks --traffic zipf:1.2 --maximum 100000000000
  check explain -P $ranks --algorithm recursive-halving --sources equal:1
  check draw schedule -P $ranks -o /dev/null
  check predict --no-run -n $ranks --pattern zipf
done
check explain -P 1 --algorithm linear --traffic uniform --maximum 1 --element 1
check explain --from 'BLOCK onto 1' --to 'CYCLIC onto 1' --shape 1
check explain --from 'BLOCK onto 3' --to 'CYCLIC(7) onto 4' --shape 1000
check verify --max-ranks 1 --algorithm linear
check verify redistribution --max-places 1
check bench schedule --ranks 1,2,1000 --samples 5
check simulate --machines
for machine in cluster sp2 t3d paragon; do
  check simulate --machine $machine --fast --algorithm linear --maximum 1 100000 --element 8
  check simulate --machine $machine --fast --sources 1 --algorithm recursive-halving --length 1
done
check simulate --machine sp2 -n 1 --fast --algorithm linear --maximum 1 --element 1
check bench --algorithm linear --mode dual --form plan --rounds 1 --maximum 1 --element 1
check bench --algorithm linear --mode dual --rounds 1 --pattern uniform --maximum 10000000
check bench records --records 1 --rounds 1

# record NAME ELEMENT SECONDS CODE BYTES: a trace of one call on one rank.
record() {
  printf '{"format":"shunt-trace","version":1,"ranks":1,"element_bytes":%s,"matrices":[{"bytes":%s}],' \
    "$2" "$5" >"$work/$1.shunt"
  printf '"complete":false,"calls":[{"matrix":0,"repeats":1,"seconds":%s,"fastest":%s,' "$3" "$3" \
    >>"$work/$1.shunt"
  printf '"function":"plan_alltoallv"}]}\n%b' "$4" >>"$work/$1.shunt"
}
record long 1000 123456.789 '\1\0\377\377\377\377\7' 7
record short 1 1e-6 '\1\0\1' 3
for trace in long short; do
  (cd "$work" && check trace $trace.shunt)
  "$SHUNT" trace "$work/$trace.shunt" --json >/dev/null || fail 'no JSON of a trace'
done
# Nothing is lost: the columns that one row has no room for come below.
"$SHUNT" trace "$work/long.shunt" >"$work/text"
for word in 2147483647000 123456789000.0 plan_ alltoallv imbalance; do
  grep -qF "$word" "$work/text" || fail "no $word in: $(cat "$work/text")"
done
(cd "$work" && check replay short.shunt --rounds 1 --algorithm linear)
