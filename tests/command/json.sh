#!/usr/bin/env bash
# What all subcommands print with --json: one object, with its format and version, and keys in
# snake_case. Those that have no --json are named here.
# shellcheck source=tests/command/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

# Below these, keys are data: the variables that were set where a grid was measured.
data='["variables"]'

# What is wrong with the document, a line each.
# shellcheck disable=SC2016  # the variables are jq's
faults='
  def keys_but_data:
    if type == "object" then
      keys[], (to_entries[] | select(.key | IN($data[]) | not) | .value | keys_but_data)
    elif type == "array" then .[] | keys_but_data
    else empty end;
  if length != 1 then "\(length) documents" else .[0] |
    if type != "object" then "no object" else
      (select(keys_unsorted[:2] != ["format", "version"]) | "it does not begin with format and version"),
      (select(.format != $format) | "the format \(.format)"),
      (.version | select(type != "number" or . != floor or . < 1) | "the version \(.)"),
      ([keys_but_data] | unique[] | select(test("^[a-z][a-z0-9]*(_[a-z0-9]+)*$") | not) | "the key \(.)")
    end
  end'

# check FORMAT SUBCOMMAND [ARGUMENT...]
check() {
  local format=$1 subcommand=$2 found
  shift 2
  covered+=("$subcommand")
  # shellcheck disable=SC2086
  "$SHUNT" $subcommand "$@" --json >"$work/document" 2>"$work/errors" ||
    fail "shunt $subcommand $*: status $?: $(cat "$work/errors")"
  found=$(jq --slurp --raw-output --arg format "$format" --argjson data "$data" "$faults" \
    "$work/document") || fail "shunt $subcommand $*: no JSON: $(cat "$work/document")"
  [[ -z $found ]] || fail "shunt $subcommand $*: $found, in: $(cat "$work/document")"
}
covered=()

for arguments in '' --allgather '-P 23' '-P 23 --allgather' --candidates '--candidates --allgather'; do
  # shellcheck disable=SC2086
  check shunt-algorithms algorithms $arguments
done
check shunt-patterns patterns
check shunt-env env
check shunt-topo topo
check shunt-topo topo -n 2
for arguments in '-P 8' '-P 61 --row 2' '-P 61 --row 2 --unrevised' '-P 8 --rank 3' '-P 16 --traffic zipf'; do
  # shellcheck disable=SC2086
  check shunt-explain explain $arguments
done
check shunt-explain-allgather explain -P 8 --algorithm recursive-halving --sources equal:3
check shunt-explain-allgather explain -P 8 --algorithm recursive-halving --sources equal:3 --rank 1
check shunt-explain-redistribution explain --from 'CYCLIC(2) onto 3' --to 'CYCLIC(3) onto 2' --shape 6
check shunt-verify verify --max-ranks 3 --random-nodes 10 --longest-extent 4
check shunt-verify-redistribution 'verify redistribution' --max-places 2 --max-block 2 --random 10
for paper in guo2000 hambrusch1998 liu2002 liu2005 sanders2002; do
  check shunt-reproduce reproduce $paper --simulated-ranks 0
done
check shunt-simulate-machines simulate --machines
check shunt-simulate simulate --machine sp2 --fast -n 4 --algorithm linear --maximum 1 2
check shunt-simulate-allgather simulate --machine sp2 --fast -n 4 --sources 2 --algorithm recursive-halving
check shunt-predict predict --no-run -n 4
check shunt-predict predict -n 2 --algorithm linear --maximum 8 --rounds 1
check shunt-calibrate calibrate -n 2 --seconds 1 -o "$work/profile.json"

once=(-n 2 --form plan --rounds 1)
check shunt-bench bench "${once[@]}" --pattern uniform --maximum 8 --algorithm linear --mode dual
check shunt-bench-allgather 'bench allgather' "${once[@]}" --distribution equal --sources 1 --length 8 \
  --algorithm recursive-halving
check shunt-bench-records 'bench records' -n 2 --records 10 --rounds 1
check shunt-bench-schedule 'bench schedule' --ranks 1,2 --samples 5
check shunt-grid 'bench grid' "${once[@]}" --pattern uniform --load 64 --algorithm linear --most-rounds 0
check shunt-redistribute redistribute "${once[@]}" --from 'BLOCK onto 2' --to 'CYCLIC onto 2' --shape 100
export SHUNT_WISDOM=$work/wisdom.json
check shunt-bench bench "${once[@]}" --pattern uniform --maximum 8 --algorithm auto --mode dual
check shunt-wisdom wisdom
grep -qF '"trials"' "$work/document" || fail "no entry of wisdom in: $(cat "$work/document")"
export SHUNT_WISDOM=none

# An exchange, and an all-gather.
printf '{"format":"shunt-trace","version":2,"ranks":2,"element_bytes":1,%s,%s}\n\1\1\5\0\7\7' \
  '"matrices":[{"bytes":4},{"bytes":2,"allgather":true}]' \
  '"calls":[{"matrix":0,"repeats":2,"seconds":1e-3,"fastest":1e-6},{"matrix":1,"repeats":1}]' \
  >"$work/recorded.shunt"
check shunt-trace-summary trace "$work/recorded.shunt"
check shunt-replay replay "$work/recorded.shunt" --algorithm linear \
  --allgather recursive-halving --form plan --rounds 1

# expect_covered [SUBCOMMAND...]: all that this has are above.
expect_covered() {
  local help subcommand subcommands
  help=$("$SHUNT" "$@" --help)
  case "$*" in
    '' | draw | draw\ * | run)
      ! grep -qF -- --json <<<"$help" || fail "shunt $*: it has --json, and is not tried"
      ;;
    *) grep -qxF -- "$*" <(printf '%s\n' "${covered[@]}") || fail "shunt $*: it is not tried" ;;
  esac
  seen=$((seen + 1))
  mapfile -t subcommands < <(sed -nE '/^Subcommands:/,$s/^  ([a-z]+).*/\1/p' <<<"$help")
  for subcommand in "${subcommands[@]}"; do
    expect_covered "$@" "$subcommand"
  done
}
seen=0
expect_covered
((seen >= 26)) || fail "only $seen subcommands are found"
