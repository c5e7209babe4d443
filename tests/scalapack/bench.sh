#!/usr/bin/env bash
# gemr2d_bench moves matrices in all ways, and finds every element where it belongs.
set -euo pipefail

bin=$(dirname "$SHUNT")
for ranks in 1 4; do
  # shellcheck disable=SC2086
  output=$($SHUNT_MPIRUN -n "$ranks" "$bin/gemr2d_bench" --order 100 --rounds 1)
  # Once in each part of the table, of which there are several where numbers are long.
  lines=$(grep -c ' 100 ' <<<"$output")
  if ((lines == 0 || lines % 6 != 0)) || ! grep -qx '0 wrong elements' <<<"$output"; then
    echo "gemr2d_bench on $ranks ranks does not say that 6 cases are right:"
    echo "$output"
    exit 1
  fi
  if (($(wc --max-line-length <<<"$output") > 80)); then
    echo "gemr2d_bench prints lines of more than 80 characters"
    exit 1
  fi
done
