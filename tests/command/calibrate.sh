#!/usr/bin/env bash
# `shunt calibrate` measures and keeps a profile, `shunt predict` uses it; files that are none, or of
# another machine, are refused in a sentence, and nothing else changes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export SHUNT_DIRECTORY=$folder/own
unset SHUNT_PROFILE

fail() {
  echo "$@"
  exit 1
}

# expect WORDS TEXT: the text contains the words, blanks squeezed.
expect() {
  grep -qF -- "$1" <<<"$(tr -s ' \n' '  ' <<<"$2")" || fail "no \"$1\" in:" "$2"
}

# refuse SENTENCE ARGUMENT...: status 2, nothing on standard output, the sentence first.
refuse() {
  local sentence=$1 status=0 output
  shift
  output=$("$SHUNT" "$@" 2>"$folder/errors") || status=$?
  if ((status != 2)) || [[ -n $output ]] || ! grep -qF -- "$sentence" <(head -n 1 "$folder/errors"); then
    fail "shunt $*: status $status, output \"$output\", errors:" "$(cat "$folder/errors")"
  fi
}

predict() {
  # shellcheck disable=SC2086
  $SHUNT_MPIRUN -n 2 "$SHUNT" predict --algorithm linear --pattern zipf --rounds 1 "$@" 2>&1
}

expect 'typical constants' "$(predict)"

# shellcheck disable=SC2086
output=$($SHUNT_MPIRUN -n 2 "$SHUNT" calibrate --seconds 1)
expect '2 ranks on 1 node ' "$output"
expect 'kinds of exchange: off by a factor of' "$output"
# There is no other node.
! grep -q "another node\|way out" <<<"$output" || fail 'costs of what is not there:' "$output"
(($(wc --max-line-length <<<"$(grep -v 'written to' <<<"$output")") <= 80)) ||
  fail 'lines of more than 80 characters:' "$output"
files=("$SHUNT_DIRECTORY"/profiles/*-2-ranks-1-nodes-of-2.json)
[[ ${#files[@]} == 1 && -s ${files[0]} ]] || fail "no profile in $SHUNT_DIRECTORY"
[[ $(ls "$SHUNT_DIRECTORY/profiles") == "$(basename "${files[0]}")" ]] || fail 'more than a profile'
expect "written to ${files[0]}" "$output"

# What stages cost is measured on two ranks too.
# shellcheck disable=SC2086
output=$($SHUNT_MPIRUN -n 2 "$SHUNT" calibrate --seconds 1 --json -o "$folder/again.json")
expect "\"file\": \"$folder/again.json\"" "$output"
expect '"algorithm": "row-column"' "$output"

output=$(predict)
expect "profile ${files[0]}" "$output"
expect 'native' "$output"
expect 'one-shot' "$output"
output=$(predict --json)
expect '"error": { "common":' "$output"
expect '"predicted_over_measured":' "$output"

# Nothing is launched for a prediction alone, and the same profile found.
output=$("$SHUNT" predict --no-run -n 2 --algorithm linear)
expect "profile ${files[0]}" "$output"
! grep -q 'measured us' <<<"$output" || fail 'something was measured:' "$output"
expect 'typical constants' "$("$SHUNT" predict --no-run -n 64 --algorithm row-column)"
expect 'bruck-among-nodes:2' "$("$SHUNT" predict --no-run --nodes 4,4)"

# Files that are no profile of these ranks: one sentence, and typical costs.
foreign=$folder/foreign.json
sed 's/"mpi": "[^"]*"/"mpi": "another"/' "${files[0]}" >"$foreign"
head -c 300 "${files[0]}" >"$folder/cut.json"
: >"$folder/empty.json"
for file in "$foreign: the profile is not used, for it is of another, not of" \
  "$folder/cut.json: a profile must be a JSON object" \
  "$folder/empty.json: a profile must be a JSON object" \
  "$folder/none.json: there is no such regular file"; do
  output=$(SHUNT_PROFILE=${file%%:*} predict)
  expect "shunt: $file" "$output"
  [[ $(grep -c '^shunt: ' <<<"$output") == 1 ]] || fail 'not one sentence:' "$output"
  expect 'typical constants' "$output"
done
SHUNT_PROFILE=${files[0]} expect 'profile' "$(SHUNT_PROFILE=${files[0]} SHUNT_DIRECTORY=/dev/null predict)"

# A program says so once, and works.
# shellcheck disable=SC2086
output=$(SHUNT_PROFILE=$folder/cut.json $SHUNT_MPIRUN -n 2 "$SHUNT" bench --pattern uniform \
  --algorithm auto --mode dual --form plan --rounds 1 2>&1)
expect ', 0 wrong bytes' "$output"
[[ $(grep -c '^shunt: ' <<<"$output") == 1 ]] || fail 'not one sentence:' "$output"

refuse '--output is /dev/null/profile.json, but there is no folder /dev/null' \
  calibrate -n 2 -o /dev/null/profile.json
refuse "--output is $folder/new/profile.json, but there is no folder $folder/new" \
  calibrate -n 2 -o "$folder/new/profile.json"
[[ ! -e $folder/new ]] || fail 'a folder is made that nobody asked for'
SHUNT_DIRECTORY=/dev/null/below refuse 'cannot make the folder' calibrate -n 2
SHUNT_DIRECTORY='' XDG_CONFIG_HOME='' HOME='' refuse 'there is no folder for profiles' calibrate -n 2
refuse '--seconds: Value 0 not in range' calibrate --seconds 0
refuse '--ranks is required' predict --no-run
refuse '--nodes requires --no-run' predict -n 2 --nodes 1,1
refuse 'there is no algorithm "a9"' predict -n 2 --algorithm a9
refuse 'there is no algorithm "a9"' predict --no-run -n 2 --algorithm a9
refuse 'nothing is predicted of "auto"' predict -n 2 --algorithm auto
refuse 'nothing is predicted of "native"' predict --no-run -n 2 --algorithm native
