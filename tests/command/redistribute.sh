#!/usr/bin/env bash
# `shunt redistribute` moves arrays of any layouts, verifies every byte, and says in one sentence what
# it cannot do.
set -euo pipefail

fail() {
  echo "$1"
  exit 1
}

# redistribute RANKS ARGUMENT...: with no wrong byte in all of the redistributions.
redistribute() {
  local ranks=$1
  shift
  # shellcheck disable=SC2086
  output=$($SHUNT_MPIRUN -n "$ranks" "$SHUNT" redistribute --rounds 2 "$@") ||
    fail "redistribute $*: status $?, $output"
  [[ ${output##*$'\n'} == "verified $((4 * (1 + 2 * modes))) redistributions, 0 wrong bytes" ]] ||
    fail "redistribute $*: $output"
}

# refuse SENTENCE ARGUMENT...: status 2, nothing on standard output, the sentence first.
refuse() {
  local sentence=$1 status=0 output
  shift
  output=$("$SHUNT" redistribute "$@" 2>"$errors") || status=$?
  if ((status != 2)) || [[ -n $output ]] || [[ $(head -n 1 "$errors") != "shunt: $sentence" ]]; then
    fail "redistribute $*: status $status, output \"$output\", errors: $(cat "$errors")"
  fi
}

errors=$(mktemp)
trap 'rm "$errors"' EXIT

modes=1
redistribute 4 --from 'CYCLIC(6) onto 4' --to 'CYCLIC(2) onto 4' --shape 120000
[[ $output == *"120000 elements of 8 bytes from CYCLIC(6) onto 4 to CYCLIC(2) onto 4 on 4 ranks"* ]] ||
  fail "$output"
for element in 1 2 4 16 32; do
  redistribute 3 --from 'BLOCK onto 3' --to 'CYCLIC(5) onto 2' --shape 1001 --element $element
done
redistribute 6 --from '(CYCLIC(3), BLOCK) onto 2x3' --to '(BLOCK, CYCLIC) onto 3x2' --shape 50x41 \
  --column-major --fortran
redistribute 2 --from '(*, BLOCK) onto 2' --to '(CYCLIC(4), *) onto 2' --shape 7x9 --packet 24
redistribute 4 --from '(*, BLOCK) onto 4' --to '(BLOCK, BLOCK) onto 2x2' --shape 8x8 --relabel
[[ $output == *'elements that change their rank: 48; with ranks at other places: 32, as here'* ]] ||
  fail "$output"
redistribute 2 --from 'CYCLIC(2147483648) onto 2' --to 'CYCLIC onto 2' --shape 12
modes=3
redistribute 2 --from '* ' --to 'BLOCK onto 2' --shape 10 --mode blocking single dual

# shellcheck disable=SC2086
json=$($SHUNT_MPIRUN -n 2 "$SHUNT" redistribute --from 'BLOCK onto 2' --to 'CYCLIC onto 2' \
  --shape 100 --rounds 1 --json)
[[ $json == *'"algorithm": "by hand"'*'"algorithm": "auto"'* ]] || fail "$json"

refuse '2 ranks; the larger grid has 3 places' -n 2 --from 'BLOCK onto 2' --to 'CYCLIC onto 3' \
  --shape 100
refuse 'the grid has 2000000000 places; there are at most 1048576 ranks' --column-major \
  --from 'CYCLIC onto 2000000000' --to 'CYCLIC onto 3' --shape 100
refuse '--from is required' --to 'CYCLIC onto 3' --shape 100
