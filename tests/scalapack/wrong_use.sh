#!/usr/bin/env bash
# What is wrong with a descriptor is said in a sentence, and ends the program.
set -euo pipefail

bin=$(dirname "$SHUNT")
for ranks in 1 3; do
  # shellcheck disable=SC2086
  if output=$($SHUNT_MPIRUN -n "$ranks" "$bin/wrong_gemr2d" 2>&1); then
    echo "wrong_gemr2d on $ranks ranks ends as if nothing were wrong"
    exit 1
  fi
  sentence='PDGEMR2D: the leading dimension of the matrix to copy is 9; it is at least 1 and at'
  if ! grep -qF "$sentence least the 10 rows that this process has" <<<"$output"; then
    echo "wrong_gemr2d on $ranks ranks does not say what is wrong:"
    echo "$output"
    exit 1
  fi
done
