#!/usr/bin/env bash
# The exchanges for rings and tori bring every byte on real ranks too, up to 64 of them.
set -euo pipefail

# expect_exact RANKS ALGORITHM...: uneven blocks, in all modes and forms.
expect_exact() {
  local ranks=$1 output
  shift
  # shellcheck disable=SC2086
  output=$($SHUNT_MPIRUN -n "$ranks" "$SHUNT" bench --pattern zipf pattern2 --maximum 300 \
    --algorithm "$@" --rounds 1)
  # Two to warm up and one round: in three modes and two forms, and MPI's own once.
  local exchanges=$((2 * 3 * (6 * $# + 1)))
  if ! grep -qx "verified $exchanges exchanges, 0 wrong bytes" <<<"$output"; then
    echo "$ranks ranks: not $exchanges exact exchanges:"
    echo "$output"
    exit 1
  fi
}

expect_exact 12 torus-ring:12 torus-ring-pipeline:12 torus-pipeline:2x6 torus-split:3x4
expect_exact 16 torus-ring:16 torus:4x4 torus-pipeline:4x4 torus-split:2x2x4
# More of them take twice as long with MPICH, and move the same.
[[ $SHUNT_MPI == openmpi ]] || exit 0
expect_exact 18 torus-ring-pipeline:18 torus-split:3x6 torus-split:2x3x3
expect_exact 24 torus-ring:24 torus-pipeline:4x6 torus-split:2x3x4
expect_exact 36 torus-ring-pipeline:36 torus-pipeline:6x6 torus-split:6x6
expect_exact 64 torus:8x8 torus-pipeline:8x8 torus-split:4x4x4
