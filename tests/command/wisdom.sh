#!/usr/bin/env bash
# What plans remember from one program to the next, and `shunt wisdom`, right and wrong.
# shellcheck disable=SC2086
# shellcheck source=tests/command/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

bin=$(dirname "$SHUNT")
export SHUNT_WISDOM=$work/wisdom.json

# plan WORDS [NAME=VALUE...]: a program of 3 ranks says so of the plan it made.
plan() {
  local words=$1 output
  shift
  output=$(env "$@" $SHUNT_MPIRUN -n 3 "$bin/hello_plan" 2>&1) || fail "hello_plan: $output"
  grep -qF "100 executions, 0 wrong" <<<"$output" || fail "hello_plan is wrong: $output"
  grep -qF "$words" <<<"$output" || fail "not \"$words\" in: $output"
}

# refuse SENTENCE ARGUMENT...: status 2, and the sentence.
refuse() {
  local sentence=$1 status=0 errors
  shift
  errors=$("$SHUNT" wisdom "$@" 2>&1 >/dev/null) || status=$?
  if ((status != 2)) || [[ $(head -n 1 <<<"$errors") != "shunt: $sentence" ]]; then
    fail "shunt wisdom $*: status $status and: $errors"
  fi
}

entries() {
  "$SHUNT" wisdom --json | grep -cF '"kind"' || true
}

[[ $("$SHUNT" wisdom) == "$SHUNT_WISDOM: 0 entries" ]] || fail 'something is known at the beginning'
plan 'found by trials, effort measure'
plan 'remembered from 2'
(($(entries) == 1)) || fail "not one entry: $("$SHUNT" wisdom)"
plan 'found by trials' SHUNT_WISDOM=none
plan "the model's choice" SHUNT_LEARN=0

grep -qF 'alltoallv' <<<"$("$SHUNT" wisdom)" || fail 'the table does not show the plan'
(($("$SHUNT" wisdom | tail -n +2 | wc --max-line-length) <= 80)) || fail 'the table is too wide'
grep -qF '"algorithm": "native"' <<<"$("$SHUNT" wisdom --json)" || fail 'JSON has no trials'

# Requests of the C interface plan with the effort that the variable says.
output=$(SHUNT_WISDOM=$work/requests SHUNT_EFFORT=patient $SHUNT_MPIRUN -n 2 "$bin/conformance" \
  --seed 1 --cases 60) || fail "conformance: $output"
for words in '"kind":"alltoallv plan"' '"kind":"allgatherv plan"' '"effort":"patient"'; do
  grep -qF "$words" "$work/requests" || fail "not $words in: $(<"$work/requests")"
done

# What is not a file of wisdom hinders no program, and is not written over.
echo 'a letter' >"$work/letter"
plan 'found by trials' SHUNT_WISDOM="$work/letter"
plan "$work/letter: a wisdom file must be a JSON object" SHUNT_WISDOM="$work/letter" SHUNT_VERBOSE=1
[[ $(<"$work/letter") == 'a letter' ]] || fail 'the letter is gone'
plan 'cannot' SHUNT_WISDOM="$work/letter/wisdom.json" SHUNT_VERBOSE=1
head -c 100 "$SHUNT_WISDOM" >"$work/damaged"
plan "it is kept as $work/damaged.bad" SHUNT_WISDOM="$work/damaged"
plan 'remembered from 2' SHUNT_WISDOM="$work/damaged"

mkdir "$work/user"
(
  unset SHUNT_WISDOM
  plan 'found by trials' SHUNT_DIRECTORY="$work/user"
  plan 'remembered from 2' SHUNT_DIRECTORY="$work/user"
)
[[ -s $work/user/wisdom.json ]] || fail "nothing in the user's folder"

SHUNT_WISDOM=$work/late $SHUNT_MPIRUN -n 2 "$bin/ends_in_destructor" ||
  fail 'a program that ends MPI in a destructor is wrong'
grep -qF '"kind":"alltoallv plan"' "$work/late" || fail 'it left nothing'

# Eight programs at once lose nothing of each other.
jobs=()
for ranks in {2..9}; do
  SHUNT_WISDOM=$work/shared $SHUNT_MPIRUN -n "$ranks" "$bin/hello_plan" >"$work/job.$ranks" 2>&1 &
  jobs+=($!)
done
wait "${jobs[@]}"
for ranks in {2..9}; do
  grep -qF '100 executions, 0 wrong' "$work/job.$ranks" || fail "of eight: $(<"$work/job.$ranks")"
done
shared=$(grep -oF '"kind"' "$work/shared" | wc -l)
((shared == 8)) || fail "eight programs left $shared entries: $(<"$work/shared")"

cp "$SHUNT_WISDOM" "$work/other.json"
[[ $("$SHUNT" wisdom --forget) == "1 entry of $SHUNT_WISDOM forgotten" ]] || fail 'not forgotten'
(($(entries) == 0)) || fail 'something is known after all was forgotten'
[[ $("$SHUNT" wisdom --merge "$work/other.json" "$work/damaged") == \
  "1 entry merged into $SHUNT_WISDOM" ]] || fail 'not merged'
plan 'remembered from 2'

"$SHUNT" wisdom --json >"$work/printed"
[[ $(SHUNT_WISDOM=$work/copy "$SHUNT" wisdom --merge "$work/printed") == \
  "1 entry merged into $work/copy" ]] || fail "what is printed cannot be merged: $(<"$work/printed")"

refuse "$work/letter: a wisdom file must be a JSON object" --merge "$work/other.json" "$work/letter"
refuse "$work/none: there is no such regular file" --merge "$work/none"
refuse '--forget excludes --json' --forget --json
SHUNT_WISDOM=$work/letter refuse "$work/letter: a wisdom file must be a JSON object" --forget
SHUNT_WISDOM=none refuse 'there is no file of wisdom: SHUNT_WISDOM is "none", or none of SHUNT_DIRECTORY, XDG_CONFIG_HOME and HOME is set'

# A bench takes no notice of it unless the file is named.
bench=$(env -u SHUNT_WISDOM SHUNT_DIRECTORY="$work/bench" "$SHUNT" bench -n 2 --rounds 1 \
  --pattern uniform --algorithm auto --mode dual --form plan)
[[ ! -e $work/bench ]] || fail 'a bench learns'
if grep -F 'wisdom' <<<"$bench"; then fail 'a bench says that it has wisdom'; fi
bench=$("$SHUNT" bench -n 2 --rounds 1 --pattern uniform --algorithm auto --mode dual --form plan)
grep -qF "wisdom: $SHUNT_WISDOM" <<<"$bench" || fail 'a bench does not say that it has wisdom'
(($(entries) == 2)) || fail 'a bench with wisdom does not learn'
