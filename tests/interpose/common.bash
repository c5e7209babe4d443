# shellcheck shell=bash
# Sourced by the scripts here: programs run with Shunt and without, and what the statistics say.
set -euo pipefail

bin=$(dirname "$SHUNT")
# shellcheck disable=SC2034  # for those who source this
library=$bin/../lib/shunt/$SHUNT_MPI/libshunt_mpi.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
stats=$work/stats.json

# The programs are short, and are to show what Shunt does from the first call on.
export SHUNT_WARM_UP=0

fail() {
  echo "$*"
  exit 1
}

# compare RANKS PROGRAM [OPTION OF shunt run...]: the program says the same with and without Shunt.
compare() {
  local ranks=$1 program=$2 without
  without=$work/${2##*/}.$1
  shift 2
  if [[ ! -e $without ]]; then
    # shellcheck disable=SC2086
    $SHUNT_MPIRUN -n "$ranks" "$program" >"$without" || fail "$program fails by itself"
    [[ -s $without ]] || fail "$program says nothing"
  fi
  rm -f "$stats"
  # shellcheck disable=SC2086
  "$SHUNT" run --stats "$stats" "$@" -- $SHUNT_MPIRUN -n "$ranks" "$program" >"$work/with" ||
    fail "$program on $ranks ranks fails with Shunt ($*)"
  diff -u "$without" "$work/with" ||
    fail "$program on $ranks ranks says something else with Shunt ($*)"
}

# counted FUNCTION: "CALLS NATIVE": how often it was called, on all ranks, and how many of these calls
# were not Shunt's, neither to make nor to leave to MPI by choice.
counted() {
  awk -v wanted="\"$1\"," '
    /"function":/ { right = $2 == wanted }
    /"calls":/ && right { calls += $2 }
    /"native": \{/ { in_native = 1; next }
    /\}/ { in_native = 0 }
    in_native && right && $1 != "\"chosen\":" { native += $NF }
    END { print calls + 0, native + 0 }' "$stats"
}

# total FUNCTION FIELD: the sum of a number over all places from which the function was called.
total() {
  awk -v wanted="\"$1\"," -v field="\"$2\":" '
    /"function":/ { right = $2 == wanted }
    $1 == field && right { sum += $2 }
    END { print sum + 0 }' "$stats"
}

# expect_calls FUNCTION CALLS [NATIVE]: what the statistics must say.
expect_calls() {
  local found
  found=$(counted "$1")
  [[ $found == "$2 ${3-0}" ]] ||
    fail "$1: calls and native calls are $found instead of $2 ${3-0} in: $(cat "$stats")"
}
