#!/usr/bin/env bash
# Ranks that are killed in the middle of an exchange leave no shared memory behind, beside what
# their MPI leaves.
set -euo pipefail

# Files of shared memory with a name, but for those of MPI libraries.
named_memory() {
  find /dev/shm -mindepth 1 ! -name '*vader*' ! -name '*mpich*' ! -name '*ucx*' ! -name '*psm*' \
    ! -name '*ompi*' | sort
}

# ranks_of MPIRUN: the processes that it has started, and those that they have.
ranks_of() {
  local child
  for child in $(pgrep -P "$1" || true); do
    echo "$child"
    ranks_of "$child"
  done
}

before=$(named_memory)
for load in 4096 4000000; do
  # shellcheck disable=SC2086
  $SHUNT_MPIRUN -n 4 "$SHUNT" bench --pattern uniform --load "$load" --algorithm linear --mode dual \
    --rounds 1000000 >/dev/null 2>&1 &
  mpirun=$!
  # Until the ranks exchange, which they do through memory of this name.
  ranks=
  until [[ $(wc -w <<<"$ranks") == 4 ]]; do
    kill -0 "$mpirun" || { echo "four ranks never shared memory, but these: $ranks" && exit 1; }
    sleep 0.05
    ranks=$(ranks_of "$mpirun" | while read -r rank; do
      if grep -qs memfd:shunt "/proc/$rank/maps"; then echo "$rank"; fi
    done)
  done
  sleep 0.2
  # shellcheck disable=SC2086
  kill -KILL $ranks
  wait "$mpirun" || true
done

after=$(named_memory)
if [[ $after != "$before" ]]; then
  echo 'killed ranks have left shared memory behind:'
  diff <(echo "$before") <(echo "$after") || true
  exit 1
fi
