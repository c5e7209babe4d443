#!/usr/bin/env bash
# SHUNT_TRACE: what a program called is what its traces say, and what cannot be written is no fault
# of the program.
# shellcheck disable=SC2086
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

program=$bin/traced_calls
traces=$work/a/b # made with all that is missing

# In the order in which the program prints them.
print_traces() {
  local name
  grep -o '^comm-[0-9-]*' "$1" | while read -r name; do "$bin/print_trace" "$traces/$name.shunt"; done
}

for setting in '2 --verbose' '5 --algorithm four-stage' '4 --disable' '3 --check'; do
  read -r ranks options <<<"$setting"
  rm -rf "$traces"
  "$SHUNT" run --trace "$traces" $options -- $SHUNT_MPIRUN -n "$ranks" "$program" \
    >"$work/called" 2>"$work/errors" || fail "the program fails ($setting)"
  [[ $(find "$traces" -type f | wc -l) == $(grep -c '^comm' "$work/called") ]] ||
    fail "not a file for each communicator ($setting): $(ls "$traces")"
  print_traces "$work/called" >"$work/recorded"
  diff -u "$work/called" "$work/recorded" || fail "the traces say something else ($setting)"
done
! grep -v 'shunt: version\|calls from' "$work/errors" | grep 'shunt:' || fail 'there are complaints'

# Replayed with its own matrices: 12 calls and 3 all-gathers on the world, 3 calls on each pair of
# halves, and the last one.
output=$("$SHUNT" replay "$traces" --rounds 2 --algorithm linear --form plan) || fail "replay: $output"
grep -q '^all 20 calls; recorded: ' <<<"$output" || fail "not all calls are replayed: $output"
grep -q '^exchanges: 17; recorded: ' <<<"$output" || fail "not all exchanges are replayed: $output"
grep -q '^all-gathers: 3; recorded: ' <<<"$output" || fail "not all all-gathers are: $output"
grep -qE '^verified [1-9][0-9]* exchanges, 0 wrong bytes$' <<<"$output" || fail "replay: $output"

# Of another program in the same folder the numbers go on.
"$SHUNT" run --trace "$traces" -- $SHUNT_MPIRUN -n 2 "$program" >/dev/null
[[ $(grep -c '"trace"' <("$SHUNT" trace "$traces" --json)) == 12 ]] ||
  fail "a trace is gone: $(ls "$traces")"

# A folder that cannot be one is said once, and is no fault of the program.
touch "$work/file"
for folder in "$work/file" "$work/file/below" /proc/none; do
  SHUNT_TRACE=$folder "$SHUNT" run -- $SHUNT_MPIRUN -n 4 "$program" >"$work/called.again" \
    2>"$work/errors" || fail "the program fails for its trace in $folder"
  [[ $(grep -c '^shunt: ' "$work/errors") == 1 ]] || fail "not one sentence: $(cat "$work/errors")"
  grep -qE "^shunt: SHUNT_TRACE: cannot write to the folder $folder: (Not a|No such file or) directory" \
    "$work/errors" || fail "no word of $folder in: $(cat "$work/errors")"
done

# A file that cannot be written at the end: its name leads to nowhere.
mkdir "$work/lead"
ln -s "$work/nowhere/file" "$work/lead/comm-0-0.shunt"
"$SHUNT" run --trace "$work/lead" -- $SHUNT_MPIRUN -n 2 "$program" >"$work/called" 2>"$work/errors" ||
  fail 'the program fails for a file that cannot be written'
[[ $(grep '^shunt: ' "$work/errors") == \
  "shunt: SHUNT_TRACE: $work/lead/comm-0-0.shunt: the file cannot be written" ]] ||
  fail "not the sentence: $(cat "$work/errors")"
[[ -s $work/lead/comm-1-0.shunt ]] || fail 'for one file that cannot be written the others are missing'

# Nothing to record: a sentence, also where there are traces of another program.
for ranks in 1 3; do
  for options in '' --disable; do
    "$SHUNT" run --trace "$work/lead" $options -- $SHUNT_MPIRUN -n $ranks "$program" none \
      2>"$work/errors" >/dev/null || fail 'the program fails where it calls nothing'
    [[ $(cat "$work/errors") == \
      "shunt: SHUNT_TRACE: no call was recorded, and no file made in $work/lead" ]] ||
      fail "not the sentence: $(cat "$work/errors")"
  done
done

# More than a trace takes: the first of it, and a sentence.
rm -rf "$traces"
"$SHUNT" run --trace "$traces" -- $SHUNT_MPIRUN -n 1 "$program" many 2>"$work/errors" ||
  fail 'the program fails for its long trace'
grep -qF "SHUNT_TRACE: $traces/comm-0-0.shunt ends after 30000 calls: " "$work/errors" ||
  fail "no word of the end in: $(cat "$work/errors")"
[[ $("$bin/print_trace" "$traces/comm-0-0.shunt" | sed -n '1p;$p') == \
  $'comm-0-0 of 0, not complete\nMPI_Alltoall 1: 0>0=30000' ]] || fail 'not the first 30000 calls'
output=$("$SHUNT" trace "$traces")
grep -q 'calls 30000, .*; the recording ended before the program ' <<<"$(tr '\n' ' ' <<<"$output")" ||
  fail 'shunt trace does not say that the recording ended early'
