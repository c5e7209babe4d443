#!/usr/bin/env bash
# Buffers on a device, of one rank: the call goes to MPI's own function on all ranks. A library for
# devices that one rank loads late is found, too.
# shellcheck disable=SC2016,SC2086
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

library=$(readlink -f "$library")
mpi=$(readlink -f "$bin/../lib/libdevice_mpi.so")
stub=$(readlink -f "$bin/../lib/libdevice_stub_cuda.so")

# with PRELOADS [ARGUMENT]: what the program says.
with() {
  local preloads=$1
  shift
  rm -f "$stats"
  $SHUNT_MPIRUN -n 2 sh -c 'LD_PRELOAD=$0${LD_PRELOAD:+:$LD_PRELOAD} exec "$@"' "$preloads" \
    "$bin/device_calls" "$@" >"$work/out" 2>"$work/err" || fail "with $*: $(cat "$work/err")"
}

# expect_as_before WHAT
expect_as_before() {
  diff -u "$work/expected" "$work/out" || fail "$1: the program says something else"
}

# by_devices: the calls that went to MPI for a device, on all ranks.
by_devices() {
  awk '$1 == "\"device" { sum += $NF } END { print sum + 0 }' "$stats"
}

with "$mpi:$stub"
cp "$work/out" "$work/expected"
for algorithm in auto linear; do
  # 3 first calls, and twice 4 of each of 5 functions, on 2 ranks.
  SHUNT_STATS=$stats SHUNT_ALGORITHM=$algorithm with "$library:$mpi:$stub"
  expect_as_before "$algorithm"
  [[ $(by_devices) == $((2 * (3 + 2 * 4 * 5))) ]] ||
    fail "$algorithm: $(by_devices) calls went to MPI for a device: $(cat "$stats")"
done
# Without statistics "auto" may pass some on to MPI without a look at them.
with "$library:$mpi:$stub"
expect_as_before 'without statistics'

with "$mpi" "$stub"
cp "$work/out" "$work/expected"
with "$library:$mpi" "$stub"
expect_as_before 'loaded late'
SHUNT_ALGORITHM=linear SHUNT_ALLGATHER=gather-broadcast with "$library:$mpi" "$stub"
expect_as_before 'loaded late, linear'
