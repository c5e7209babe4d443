#!/usr/bin/env bash
# A signal to the command, or a reader that goes, ends the ranks that it has started, too.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# In the background a shell ignores Ctrl-C.
command=(env --default-signal=INT --default-signal=HUP "$SHUNT" bench -n 2 --pattern uniform --algorithm linear --mode dual
  --form plan)

# descendants_of PROCESS: all that it has started, and those have.
descendants_of() {
  local child
  for child in $(pgrep -P "$1" || true); do
    echo "$child"
    descendants_of "$child"
  done
}

# expect_gone PROCESS...: soon.
expect_gone() {
  local process
  for process; do
    for ((i = 0; i < 200; ++i)); do
      kill -0 "$process" 2>/dev/null || continue 2
      # Nobody may be there to take a dead process's status.
      [[ $(ps -o state= -p "$process") != Z* ]] || continue 2
      sleep 0.1
    done
    echo "process $process is left: $(ps -o args= -p "$process")"
    exit 1
  done
}

for signal in INT TERM HUP; do
  "${command[@]}" --rounds 1000000 >/dev/null 2>"$work/errors" &
  running=$!
  started=
  until [[ $(for process in $started; do cat "/proc/$process/comm" 2>/dev/null; done |
    grep -cx shunt) == 2 ]]; do
    kill -0 "$running" || { echo "no ranks: $(cat "$work/errors")" && exit 1; }
    sleep 0.1
    started=$(descendants_of "$running")
  done
  kill "-$signal" "$running"
  status=0
  wait "$running" || status=$?
  if ((status != 128 + $(kill -l "$signal"))); then
    echo "SIG$signal: status $status: $(cat "$work/errors")"
    exit 1
  fi
  # shellcheck disable=SC2086
  expect_gone $started
done

# Who reads no more ends it quietly.
"${command[@]}" --rounds 3 2>"$work/errors" | head -c 1 >/dev/null || ((PIPESTATUS[0] == 141))
! grep '^shunt:' "$work/errors" || { echo 'a word to nobody' && exit 1; }
