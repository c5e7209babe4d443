#!/usr/bin/env bash
# Valgrind sees no error and no leak of ours while 3 ranks run the tests and random calls. What MPI
# does to itself is not looked at: only what has a function of Shunt among its callers.
set -euo pipefail

# One MPI library is enough: the calls are the same, and MPICH's own transport needs many exceptions.
[[ $SHUNT_MPI == openmpi ]] || exit 0

bin=$(dirname "$SHUNT")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
memcheck=(valgrind --quiet --leak-check=full --show-leak-kinds=definite --num-callers=40
  --suppressions=tests/support/memcheck.supp --log-file="$scratch/%p")

run() {
  # shellcheck disable=SC2086
  $SHUNT_MPIRUN -n 3 "${memcheck[@]}" "$@" >"$scratch/output" 2>&1 || {
    tail -n 40 "$scratch/output"
    exit 1
  }
}

# Gigabytes take long, what only the model computes needs no ranks, the exactness of many patterns
# and their limits of memory show no more than those of some, and thousands of communicators no more
# than hundreds.
left_out='*Big*:*Exactness*:Exact/Pipes.*/*r*:Exact/Pipes.Sev*:LikelyAlgorithms*:*MemoryLimit.*'
run "$bin/mpi_tests" "--gtest_filter=-$left_out:*OfThousands*"
run "$bin/conformance" --cases 150

# A report of valgrind is a paragraph; the tests themselves are not ours in this sense.
found=$(sed 's/^==[0-9]*== \?//; s/shunt::test:://g' "$scratch"/[0-9]* |
  awk 'BEGIN { RS = ""; ORS = "\n\n" } /shunt::|SHUNT_/')
if [[ -n $found ]]; then
  echo "$found"
  exit 1
fi
