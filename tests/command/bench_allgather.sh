#!/usr/bin/env bash
# The bench of all-gathers tries every distribution, number of sources and length that it is asked
# for, verifies each, and says in one sentence what it cannot try.
set -euo pipefail

# expect_line PATTERN TEXT: the text has such a line, blanks squeezed.
expect_line() {
  grep -qE -- "$1" <<<"$(tr -s ' ' <<<"$2")" || {
    echo "bench allgather: no line like \"$1\" in"
    echo "$2"
    exit 1
  }
}

# expect_refusal SENTENCE ARGUMENT...: status 2, nothing on standard output, the sentence first.
expect_refusal() {
  local sentence=$1 status=0 output errors
  shift
  errors=$(mktemp)
  output=$("$SHUNT" bench allgather "$@" 2>"$errors") || status=$?
  if ((status != 2)) || [[ -n $output ]] || [[ $(head -n 1 "$errors") != "shunt: $sentence" ]]; then
    echo "shunt bench allgather $*: status $status, output \"$output\", errors:"
    cat "$errors"
    exit 1
  fi
  rm "$errors"
}

# Of the usual numbers of sources on 5 ranks, sqrt and half are both 2. A run of each contestant in
# each of 2 warm-ups and 1 round, and 20 more in which "auto" learns, in both forms: 3
# distributions, 1 length, 4 numbers of sources, 5 contestants.
# shellcheck disable=SC2086
output=$($SHUNT_MPIRUN -n 5 "$SHUNT" bench allgather --length 100 --rounds 1 --warm-up 20 \
  --algorithm auto direct)
number='[0-9.]+'
for line in '^equal on 5 ranks, blocks of 100 bytes$' '^random on 5 ranks, blocks of 100 bytes$' \
  "^ ?4 native $number $number $number 1.00$" \
  "^ ?5 auto dual plan $number $number $number $number$" \
  "^ ?2 direct dual one-shot $number $number $number $number$" \
  '^over all 12 all-gathers$' '^native 1.00 1.00 equal:1 of 100 B$' \
  "^auto dual plan $number $number [a-z-]+:[1245] of 100 B$" \
  '^verified 660 exchanges, 0 wrong bytes$'; do
  expect_line "$line" "$output"
done
# expect_narrow TEXT: it fits into 80 columns.
expect_narrow() {
  (($(wc --max-line-length <<<"$1") <= 80)) || {
    echo 'bench allgather prints lines of more than 80 characters:'
    echo "$1"
    exit 1
  }
}
expect_narrow "$output"

# In batches of ten, the last all-gather of each is verified: one batch of warm-ups, another that is
# timed, and three in which "auto" learns in each form.
# shellcheck disable=SC2086
output=$($SHUNT_MPIRUN -n 3 "$SHUNT" bench allgather --distribution equal --sources 2 --length 100 \
  --batch 10 --rounds 1 --warm-up 30)
expect_line '^round: the mean of 10 that follow each other$' "$output"
expect_line '^verified 12 exchanges, 0 wrong bytes$' "$output"

# A name for which its line has no room goes on below it.
# shellcheck disable=SC2086
output=$($SHUNT_MPIRUN -n 4 "$SHUNT" bench allgather --distribution right-diagonal --length 100 \
  --sources 4 --mode blocking --algorithm reposition-by-source:2x2,if-it-pays --rounds 1)
expect_narrow "$output"
expect_line "^ 4 reposition-(by-.*)? blocking one-(shot)? $number $number $number $number$" "$output"

# shellcheck disable=SC2086
output=$($SHUNT_MPIRUN -n 3 "$SHUNT" bench allgather --distribution cross --length 10 1000 \
  --sources half 2 --form plan --mode blocking single --algorithm recursive-halving --rounds 1 --json |
  tr -d ' \n')
for part in '"batch_calls":1,"block_bytes":10,"distribution":"cross","ranks":3,"results":' \
  '"block_bytes":1000,"distribution":"cross","ranks":3,"results":' \
  '"rounds":1,"sources":1,"warm_up_calls":400}' '"rounds":1,"sources":2,"warm_up_calls":400}' \
  '"algorithm":"recursive-halving","form":"plan",' '"mode":"blocking"' '"mode":"single"'; do
  expect_line "$part" "$output"
done

expect_refusal 'there is no distribution "equals" of sources' --distribution equals
expect_refusal 'the number of sources is "few", not a positive number' --sources few
expect_refusal 'the number of sources is 5, but must be from 0 to 4' -n 4 --sources 5
# shellcheck disable=SC2016
expect_refusal 'there is no all-gather algorithm "four-stage"; `shunt algorithms --allgather` lists them' \
  --algorithm four-stage
expect_refusal 'neighbour-exchange runs on an even number of ranks, not on 3; ring runs on any number' \
  -n 3 --algorithm neighbour-exchange
