#!/usr/bin/env bash
# What is wrong with a descriptor is said in a sentence, and ends the program.
set -euo pipefail

bin=$(dirname "$SHUNT")

# expect WRONG RANKS SENTENCE: that ends the program, which says the sentence.
expect() {
  local wrong=$1 ranks=$2 sentence=$3 output
  # shellcheck disable=SC2086
  if output=$($SHUNT_MPIRUN -n "$ranks" "$bin/wrong_gemr2d" "$wrong" 2>&1); then
    echo "wrong_gemr2d $wrong on $ranks ranks ends as if nothing were wrong"
    exit 1
  fi
  if ! grep -qF "$sentence" <<<"$output"; then
    echo "wrong_gemr2d $wrong on $ranks ranks does not say \"$sentence\":"
    echo "$output"
    exit 1
  fi
}

for ranks in 1 3; do
  expect leading "$ranks" \
    'PDGEMR2D: the leading dimension of the matrix to copy is 9; it is at least the 10 rows'
done
expect grid 3 'PDGEMR2D: processes do not agree on a grid'
expect uplo 2 "PDTRMR2D: UPLO is 'x'; it is 'U' or 'L'"
