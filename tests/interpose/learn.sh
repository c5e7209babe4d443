#!/usr/bin/env bash
# What "auto" learns of a program's calls, while they stay right.
# shellcheck disable=SC2086
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

program=$bin/changing_traffic

# Whatever is tried, and whatever is chosen in the end.
for ranks in 2 3 5; do
  compare "$ranks" "$program"
  expect_calls MPI_Alltoallv $((900 * ranks))
done

# Far more calls than pass by at once where they are MPI's own.
"$SHUNT" run --algorithm native -- $SHUNT_MPIRUN -n 3 "$program" >/dev/null ||
  fail 'MPI is not left its own calls'

# Rank 0 says what it settled on, and what was weighed: always straight, and MPI's own. After so many
# calls as it takes them: a rank that loses its processor while the ranks agree costs thousands of
# short ones, which have to earn it.
exec {said}< <(exec "$SHUNT" run --verbose -- $SHUNT_MPIRUN -n 2 "$program" 100000000 2>&1 >/dev/null)
launcher=$!
settled='^shunt: 2 ranks, .*, 64 B to others, blocks 64 B, messages 4: [a-z0-9:-]+;( [a-z0-9:-]+ [0-9.]+ us)+$'
settled=$(grep -m 1 -E "$settled" <&"$said") || fail 'nothing was settled'
{ kill "$launcher" && wait "$launcher"; } || true
for candidate in linear native; do
  grep -qE "; (.* )?$candidate [0-9.]+ us" <<<"$settled" ||
    fail "$candidate was not weighed: $settled"
done

# Nothing is tried, and nothing left to MPI, where that is asked for.
output=$(SHUNT_LEARN=0 "$SHUNT" run --stats "$stats" --verbose -- $SHUNT_MPIRUN -n 2 "$program" 2>&1)
grep -q ' us' <<<"$output" && fail "something was learned: $output"
grep -q '"chosen"' "$stats" && fail "something was left to MPI: $(cat "$stats")"

# A word that is no number.
if output=$(SHUNT_LEARN=never "$SHUNT" run -- $SHUNT_MPIRUN -n 1 "$program" 2>&1); then
  fail 'SHUNT_LEARN may be anything'
fi
grep -qF 'MPI_Alltoallv on rank 0: SHUNT_LEARN is "never"; it is 0 or 1' <<<"$output" ||
  fail "no word of SHUNT_LEARN in: $output"
