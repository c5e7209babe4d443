#!/usr/bin/env bash
# `shunt bench grid` measures every number of ranks, pattern, load and form that it is asked for,
# verified; keeps all of it in a file; and computes from such files what can be computed by hand.
set -euo pipefail

fail() {
  echo "bench grid: $1"
  echo "${2-}"
  exit 1
}

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# expect PATTERN TEXT: the text has such a line, blanks squeezed.
expect() {
  grep -qE -- "$1" <<<"$(tr -s ' ' <<<"$2")" || fail "no line like \"$1\" in" "$2"
}

# expect_part PART TEXT: the text, all in one line without blanks, has this part.
expect_part() {
  tr -d ' \n' <<<"$2" | grep -F -- "$1" >/dev/null || fail "no $1 in" "$2"
}

# expect_narrow TEXT: it fits into 80 columns.
expect_narrow() {
  (($(wc --max-line-length <<<"$1") <= 80)) || fail 'lines of more than 80 characters' "$1"
}

# refuse SENTENCE ARGUMENT...: status 2, nothing on standard output, this sentence.
refuse() {
  local sentence=$1 status=0 output
  shift
  output=$("$SHUNT" bench grid "$@" 2>"$work/errors") || status=$?
  if ((status != 2)) || [[ -n $output ]] || ! grep -qxF "shunt: $sentence" "$work/errors"; then
    fail "$*: status $status, output \"$output\", errors:" "$(cat "$work/errors")"
  fi
}

# way NAME TIMES
way() { printf '{"algorithm": "%s", "us": [%s]}' "$1" "$2"; }

# expected NAME TIMES PREDICTED BY_BOUNDS: a way of which the model has said something
expected() {
  printf '{"algorithm": "%s", "us": [%s], "predicted_us": %s, "by_bounds_us": %s}' "$@"
}

# kept WHERE RANKS WRONG LOAD WAY...: a file of one cell.
kept() {
  local head="\"where\": \"$1\", \"ranks\": $2, \"exchanges\": 9, \"wrong_bytes\": $3"
  local cell="\"pattern\": \"zipf:1.2\", \"load\": $4, \"maximum\": 7, \"form\": \"plan\""
  local IFS=,
  printf '{"format": "shunt-grid", "version": 2, "jobs": [{%s, "provenance": {}, "cells": [{%s, "ways": [%s]}]}]}' \
    "$head" "$cell" "${*:5}"
}

# By hand: row-column is the fastest in the even rounds, linear in the odd ones. Beside what was the
# fastest in the other half, auto takes 12/6, 12/5, 12/6, 12/5. In the median row-column takes 4, the
# least.
kept here 4 0 65536 "$(way native 24,24,6,24)" "$(way linear 6,3,6,3)" "$(way row-column 3,5,3,5)" \
  "$(way auto 12,12,12,12)" >"$work/one.json"
output=$("$SHUNT" bench grid --from "$work/one.json" --cells)
expect '^here$' "$output"
expect '^ 4 64 KiB plan 1 2.200 2.200 2.000 2.000$' "$output"
expect '^regret all 1 2.200 2.200 zipf:1.2 of 64 KiB on 4 ranks, plan$' "$output"
expect '^native/auto all 1 2.000 2.000 zipf:1.2 of 64 KiB on 4 ranks, plan$' "$output"
expect '^plain regret all 1 3.000 3.000 ' "$output"
expect '^plain (native/auto )?all 1 2.000 2.000 ' "$output"
expect '^zipf:1.2 of 64 KiB .* ?12.0 2.200 3.000 2.000 row-column 4.0, linear$' "$output"
expect '^verified 9 exchanges, 0 wrong bytes$' "$output"
expect_narrow "$output"

# What was too slow for more rounds is left out of what auto is compared with.
kept here 4 0 65536 "$(way native 24,24,6,24)" "$(way linear 6,3,6,3)" "$(way two-stage 1,1)" \
  "$(way row-column 3,5,3,5)" "$(way auto 12,12,12,12)" >"$work/fewer.json"
expect '^ 4 64 KiB plan 1 2.200 2.200 2.000 2.000$' "$("$SHUNT" bench grid --from "$work/fewer.json")"

# Several files are one table. Nothing over nothing is 1; something over nothing says nothing.
kept there 8 0 1000 "$(way native 0)" "$(way auto 0)" >"$work/two.json"
kept there 8 0 1000 "$(way alltoallv:ring 0)" "$(way auto 3)" >"$work/three.json"
output=$("$SHUNT" bench grid --from "$work/one.json" "$work/two.json" "$work/three.json" \
  -o "$work/all.json")
expect '^there 8 1000 B plan 2 1.000 1.000 1.000 1.000$' "$output"
expect '^regret all 2 1.483 2.200 zipf:1.2 of 64 KiB on 4 ranks,' "$output"
expect '^native/auto all 2 1.414 1.000 zipf:1.2 of 1000 B on 8 ranks,' "$output"
expect '^verified 27 exchanges, 0 wrong bytes$' "$output"
expect_narrow "$output"
# What is kept is the same again.
[[ $("$SHUNT" bench grid --from "$work/all.json") == "$output" ]] || fail 'another table of all.json'
[[ $("$SHUNT" bench grid --from "$work/all.json" --json) == "$(cat "$work/all.json")" ]] ||
  fail 'another JSON of all.json'

# What the model is off by: linear takes 4.5 us in the median, row-column 4, native 24.
! grep -F 'the model is' <<<"$output" || fail 'it knows of a model that said nothing'
kept here 4 0 65536 "$(expected native 24,24,6,24 24 6)" "$(expected linear 6,3,6,3 9 4.5)" \
  "$(expected row-column 3,5,3,5 20 1)" "$(way auto 12,12,12,12)" >"$work/model.json"
output=$("$SHUNT" bench grid --from "$work/model.json" -o "$work/again.json")
expect '^the model is off by a factor of 2.00 in the median, 5.00 at worst;$' "$output"
expect '^apart from a factor of 2.00 that all have in common, by 2.00 in the median$' "$output"
expect '^by bounds alone, off by a factor of 4.00 in the median, 4.00 at worst;$' "$output"
[[ $("$SHUNT" bench grid --from "$work/again.json") == "$output" ]] || fail 'another model'

# What was not verified is not said to be.
sed 's/"exchanges": 9/&, "unverified": 4/' "$work/one.json" >"$work/timed.json"
output=$("$SHUNT" bench grid --from "$work/timed.json" "$work/two.json" -o "$work/again.json")
expect '^verified 14 exchanges, 0 wrong bytes$' "$output"
expect '^timed 4 more, payloads not real$' "$output"
[[ $("$SHUNT" bench grid --from "$work/again.json") == "$output" ]] || fail 'another count'

# Wrong bytes are a failure.
status=0
kept here 4 3 9 "$(way native 1)" "$(way auto 1)" >"$work/wrong.json"
output=$("$SHUNT" bench grid --from "$work/wrong.json") || status=$?
((status == 1)) || fail "wrong bytes, and status $status"
expect '^verified 9 exchanges, 3 wrong bytes$' "$output"

# 2 and 3 ranks: 2 traffics of native, and of linear and auto in both forms. Each takes 2 turns of 8 +
# 3 runs, and auto learns from 4 calls: 2 * 2 * (5 * 22 + 4).
output=$("$SHUNT" bench grid -n 2 3 --pattern uniform neighbours:1 --load 1000 --algorithm linear \
  --rounds 2 --most-rounds 0 --warm-up 4 --element 4 --seed 5 --background 2 --about 'a test' \
  -o "$work/here.json" 2>"$work/errors")
number='[0-9]+\.[0-9]{3}'
for form in plan one-shot; do
  expect "^ ?2 1000 B $form 2 $number $number $number $number$" "$output"
  expect "^ ?3 1000 B $form 2 $number $number $number $number$" "$output"
  expect "^regret $form 4 $number $number (uniform|neighbours:1) of 1000 B on" "$output"
done
expect "^regret all 8 $number " "$output"
expect '^verified 456 exchanges, 0 wrong bytes$' "$output"
expect '^3 ranks, 2 of 2: neighbours:1 of 1000 B$' "$(cat "$work/errors")"
expect_narrow "$output"
json=$(cat "$work/here.json")
grep -qF -- "--about 'a test'" <<<"$json" || fail 'a command without quotes in' "$json"
for part in '"about":"atest"' '"background":2' '"element_bytes":4' '"rounds":2' '"seed":5' \
  '"warm_up":4' '"command":"shuntbenchgrid-n23' '"ranks":3,"exchanges":228,"wrong_bytes":0,' \
  '"load":1000,"maximum":83,"pattern":"uniform"' '"form":"one-shot","load":1000,"maximum":250,' \
  '"processors":' '"model":' '"model_error":{' '"by_bounds_us":' '"profile":"'; do
  expect_part "$part" "$json"
done
grep -qE '"chosen":\["(linear|row-column|four-stage|native|[a-z-]+(:[0-9]+)?)","' <<<"$json" || fail 'no choices in' "$json"
(($(grep -F '"chosen"' <<<"$json" | grep -cF '"form":"one-shot"') == 4)) ||
  fail 'no choices of calls in' "$json"
! grep -qF "\"$(hostname)\"" <<<"$json" || fail 'it tells the name of this machine'

# No ratio is known of five rounds: there are as many of auto and of MPI's own.
json=$("$SHUNT" bench grid -n 2 --pattern uniform --load 64 --algorithm linear --form plan --rounds 2 \
  --most-rounds 5 --json 2>"$work/errors")
for name in auto native; do
  tr -d ' \n' <<<"$json" | grep -E "\"algorithm\":\"$name\"[^]]*(\],)?[^]]*\"us\":\[([0-9.e-]+,){4}[0-9.e-]+\]" >/dev/null ||
    fail "not 5 rounds of $name in" "$json"
done
expect_part '"most_rounds":5' "$json"

# What the calls of the C++ interface settle on is said to whoever asks: after so many calls as it
# takes them, since on a busy machine agreements take long, and have to be earned.
# shellcheck disable=SC2086
exec {said}< <(SHUNT_VERBOSE=1 SHUNT_WISDOM=none exec $SHUNT_MPIRUN -n 2 "$SHUNT" bench grid \
  --pattern uniform --load 64 --algorithm linear --form one-shot --warm-up 1000000 2>&1 >/dev/null)
launcher=$!
settled=$(grep -m 1 -E '^shunt: 2 ranks, .*: (linear|native); ' <&"$said") || fail 'nothing was settled'
{ kill "$launcher" && wait "$launcher"; } || true
for name in linear native; do expect "$name [0-9.]+ us" "$settled"; done

# Ranks that somebody else started, on two nodes: candidates that know of these, one round.
# shellcheck disable=SC2086
json=$(SHUNT_NODES=2,2 SHUNT_DIRECTORY=$work $SHUNT_MPIRUN -n 4 "$SHUNT" bench grid \
  --pattern uniform --load 64 --form plan --rounds 1 --most-rounds 0 --json 2>"$work/errors")
for part in 'on2,2","ranks":4,' '"algorithm":"node-pairwise"' '"SHUNT_NODES":"2,2"' \
  '"SHUNT_DIRECTORY":"apath"'; do
  expect_part "$part" "$json"
done

# shellcheck disable=SC2016
refuse 'there is no algorithm "a9"; `shunt algorithms` lists them' -n 2 --algorithm a9
refuse 'algorithm groups:1 does not carry blocks between all ranks, as the bench'"'"'s traffic needs' \
  -n 9 --algorithm groups:1
refuse 'the parameter of the traffic "zipf:x" must be a number from 0 to 1000' --pattern zipf:x
refuse '--from excludes --pattern' --pattern uniform --from "$work/one.json"
refuse '--from excludes --machine' --machine cluster --from "$work/one.json"
refuse '--built-in requires --machine' --built-in alltoallv:ring
refuse '--ranks: Value 0 not in range 1 to 1048576' -n 0
refuse '--form: both not in {plan,one-shot}' --form both
refuse '/dev/null/grid: the file cannot be written' -n 2 -o /dev/null/grid
refuse "$work/no.json: there is no such regular file" --from "$work/no.json"
refuse "the machine cluster has ranks for 1 to 1024, not for 2000" --machine cluster -n 2000
SHUNT_MPIRUN=false refuse \
  'the bench on 2 ranks ended without a result, with status 1; what it said is above' -n 2
SHUNT_MPIRUN="echo" refuse 'the bench on 2 ranks: this is no grid of times' -n 2

# broken SENTENCE SED: refused is the file of one cell, with that done to it.
broken() {
  sed "$2" "$work/one.json" >"$work/broken.json"
  refuse "$work/broken.json: $1" --from "$work/broken.json"
}
broken '"format" must be "shunt-grid"' s/shunt-grid/shunt-times/
broken '"version" must be 2' 's/"version": 2/"version": 1/'
broken '"ways" must be auto, once, and MPI'"'"'s own, and may be others' s/native/two-stage/
broken '"ways" must be auto, once, and MPI'"'"'s own, and may be others' s/auto/two-stage/
broken '"us" must be a list of numbers of microseconds, 0 or more' s/24,24/24,-1/
rounds="all \"ways\" of a cell must have a round, auto and MPI's own the same number, and no other"
for wrong in s/24,24/24/ s/6,3,6,3// s/6,3,6,3/6,3,6,3,6/; do broken "$rounds one more" "$wrong"; done
broken '"by_bounds_us" is missing' 's/\("us": [^}]*\)}/\1, "predicted_us": 3}/'
broken '"ranks" must be a whole number from 1 to 2147483647' 's/"ranks": 4/"ranks": 0/'
broken '"unverified" must be a whole number from 0 to 9' 's/"exchanges": 9/&, "unverified": 10/'
broken '"where" is missing' 's/"where"/"there"/'

# On a simulated machine, where that can be tried: the same digits twice.
here=$(dirname "$(readlink -f "$SHUNT")")
if ! command -v smpirun >/dev/null || [[ ! -e $here/../../smpi/lib/shunt/smpi/shunt-simulated ]]; then
  echo 'not simulated: SimGrid or the build of the preset smpi is not here'
  exit 0
fi
simulate() {
  "$SHUNT" bench grid --machine cluster -n 4 2000 --pattern uniform --load 64 --algorithm linear row-column \
    --form plan one-shot --warm-up 2 2>"$work/errors"
}
output=$(simulate)
expect '^cluster$' "$output"
for form in plan one-shot; do
  expect "^ ?4 64 B $form 1 $number $number $number $number$" "$output"
done
# 2 forms of linear, row-column and auto, and 2 of SMPI's own.
expect '^verified 8 exchanges, 0 wrong bytes$' "$output"
expect '^left out: the machine cluster has ranks for 1 to 1024, not for 2000$' "$(cat "$work/errors")"
[[ $(simulate) == "$output" ]] || fail 'not the same twice'

# More than a simulation keeps: linear, auto and two of SMPI's own.
output=$("$SHUNT" bench grid --machine cluster -n 4 --pattern uniform --load 134217728 \
  --algorithm linear 2>"$work/errors")
expect '^verified 0 exchanges, 0 wrong bytes$' "$output"
expect '^timed 4 more, payloads not real$' "$output"

# What breaks off, here at the second pattern, leaves the cells that were done.
mkdir "$work/bin"
cat >"$work/bin/smpirun" <<END
#!/usr/bin/env bash
echo >>"$work/simulations"
((\$(wc --lines <"$work/simulations") > 3)) || exec "$(command -v smpirun)" "\$@"
exit 1
END
chmod +x "$work/bin/smpirun"
status=0
PATH=$work/bin:$PATH "$SHUNT" bench grid --machine cluster -n 4 --pattern uniform pattern1 \
  --load 64 --algorithm linear -o "$work/part.json" 2>"$work/errors" || status=$?
((status == 2)) || fail "status $status of what broke off" "$(cat "$work/errors")"
expect '^ ?4 64 B plan 1 ' "$("$SHUNT" bench grid --from "$work/part.json")"
