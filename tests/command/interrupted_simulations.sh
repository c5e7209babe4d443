#!/usr/bin/env bash
# A signal to `shunt simulate` or `shunt reproduce`, or a reader that goes, leaves nothing: no folder,
# no file, no process. Skipped where the preset smpi was not built.
set -euo pipefail

here=$(dirname "$(readlink -f "$SHUNT")")
if ! command -v smpirun >/dev/null || [[ ! -e $here/../../smpi/lib/shunt/smpi/shunt-simulated ]]; then
  echo 'skipped: SimGrid or the build of the preset smpi is not here'
  exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMPDIR=$work/files
mkdir "$TMPDIR"

fail() {
  echo "$*, errors: $(cat "$work/errors")"
  exit 1
}

# expect_nothing WHAT: is left.
expect_nothing() {
  [[ -z $(ls -A "$TMPDIR") ]] || fail "$1 leaves files: $(find "$TMPDIR" | head)"
  ! pgrep -af "$TMPDIR" || fail "$1 leaves processes"
}

simulation=(simulate --machine cluster -n 64 --maximum 4096 --mode dual --form plan)

for signal in INT TERM HUP QUIT; do
  for arguments in "${simulation[*]}" 'reproduce sanders2002'; do
    # In the background a shell ignores Ctrl-C.
    # shellcheck disable=SC2086
    env --default-signal=INT --default-signal=QUIT --default-signal=HUP "$SHUNT" $arguments >/dev/null 2>"$work/errors" &
    running=$!
    until pgrep -f "smpimain $TMPDIR/shunt-" >/dev/null; do
      kill -0 "$running" 2>/dev/null || fail "$arguments ended before it was interrupted"
      sleep 0.05
    done
    kill "-$signal" "$running"
    status=0
    wait "$running" || status=$?
    ((status == 128 + $(kill -l "$signal"))) || fail "SIG$signal to $arguments: status $status"
    expect_nothing "SIG$signal to $arguments"
  done
done

# What ends by itself leaves nothing either, nor what nobody reads.
"$SHUNT" simulate --machine cluster -n 2 --algorithm linear --built-in alltoallv:ring >/dev/null \
  2>"$work/errors" || fail 'a simulation fails'
expect_nothing 'a simulation'
"$SHUNT" simulate --machine cluster -n 2 --maximum 1 2 3 4 --algorithm linear --built-in alltoallv:ring \
  2>"$work/errors" | head -c 1 >/dev/null || ((PIPESTATUS[0] == 141))
expect_nothing 'a simulation that nobody reads'
