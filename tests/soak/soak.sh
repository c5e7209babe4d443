#!/usr/bin/env bash
# tests/soak/soak.sh BUILD MINUTES: runs `churn` of that build with Shunt preloaded, again and again for
# so long: with threads and without, on several numbers of ranks, with several algorithms; in every
# third run one of the ranks is killed. Fails where a run does not end, a byte is wrong, memory or
# files grow, or a killed run leaves a process or shared memory behind. Prints a line a run.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../scripts/launch.sh"

readonly build=$1 minutes=$2
readonly settings=(SHUNT_WARM_UP=5 SHUNT_WARM_UP=0 SHUNT_ALGORITHM=four-stage SHUNT_ALGORITHM=stages:3
  SHUNT_ALLGATHER=recursive-halving)
readonly all_ranks=(2 3 5 4)
# A run that has not ended by then hangs; it takes a few seconds by itself.
readonly hangs_after=300
readonly most_growth_kib=16384

# What MPI grows by in each call of `churn`: MPICH 4.0 by 24 bytes, also without Shunt.
bytes_of_mpi=0
if [[ -d $build/lib/shunt/mpich ]]; then
  bytes_of_mpi=24
  launch=(mpirun.mpich -genv LD_PRELOAD "$build/lib/libyielding_wait.so:$build/lib/shunt/mpich/libshunt_mpi.so")
else
  launch=(mpirun.openmpi --oversubscribe --bind-to none
    -x "LD_PRELOAD=$build/lib/shunt/openmpi/libshunt_mpi.so")
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "run $run ($setting, $ranks ranks): $1"
  tail -n 20 "$work/output"
  exit 1
}

processes() {
  pgrep -f "$build/bin/churn" || true
}

shared_memory() {
  find /dev/shm -mindepth 1 -name '*shunt*' | sort
}

# kill_one: one of the ranks, once all of them work.
kill_one() {
  local victims
  for _ in $(seq 100); do
    mapfile -t victims < <(pgrep -x churn || true)
    if ((${#victims[@]} >= ranks)); then break; fi
    sleep 0.1
  done
  sleep "0.$((RANDOM % 10))"
  if ((${#victims[@]} > 0)); then kill -KILL "${victims[RANDOM % ${#victims[@]}]}" || true; fi
}

export SHUNT_WISDOM=none
before=$(shared_memory)
run=0
until ((SECONDS >= 60 * minutes)); do
  run=$((run + 1))
  setting=${settings[run % ${#settings[@]}]}
  ranks=${all_ranks[run % ${#all_ranks[@]}]}
  kills=$((run % 3 == 0))
  status=0
  env "$setting" timeout --kill-after 10 "$hangs_after" "${launch[@]}" -n "$ranks" \
    "$build/bin/churn" 8 "$run" >"$work/output" 2>&1 &
  launcher=$!
  if ((kills)); then kill_one; fi
  wait "$launcher" || status=$?
  ((status != 124 && status != 137 || kills)) || fail 'does not end'
  if ((kills)); then
    ((status != 0)) || fail 'ended well, though a rank was killed'
    for _ in $(seq 100); do
      [[ -n $(processes) ]] || break
      sleep 0.1
    done
    [[ -z $(processes) ]] || fail 'leaves processes behind'
  else
    ((status == 0)) || fail "ends with status $status"
    grep -q ' 0 wrong bytes' "$work/output" || fail 'has wrong bytes'
    awk -v most="$most_growth_kib" -v each="$bytes_of_mpi" '
      /KiB and/ { if ($10 > most + each * $5 / 1024 || $13 > 0) exit 1 }' "$work/output" ||
      fail 'grows'
  fi
  [[ $(shared_memory) == "$before" ]] || fail 'leaves shared memory behind'
  echo "[$SECONDS s] run $run: $setting, $ranks ranks$( ((kills)) && echo ', one killed')$(
    ((kills)) || sed -n '1s/^rank [0-9]*:/;/p' "$work/output")"
done
echo "$run runs, 0 failed"
