#!/usr/bin/env bash
# first.bash HOSTS RATE MPI COUNT COMMAND...: runs inside.bash as the first process of the new namespace
# of processes, and ends it, and so all of them, when it is told to end itself. What a script starts
# first is the first there: nothing may be started before it.
set -euo pipefail

# shellcheck disable=SC2317  # called by traps
stop() {
  trap '' INT TERM HUP
  kill -KILL "$first"
  wait "$first" 2>/dev/null || true
  exit "$1"
}

# Even where this process is killed, all others end with it.
setpriv --pdeathsig KILL bash "${BASH_SOURCE[0]%/*}/inside.bash" "$@" <&0 &
first=$!
trap 'stop 130' INT
trap 'stop 143' TERM
trap 'stop 129' HUP
status=0
wait "$first" || status=$?
exit "$status"
