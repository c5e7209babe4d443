#!/usr/bin/env bash
# `shunt verify` proves all algorithms, and says how many schedules.
set -euo pipefail

fail() {
  echo "$1"
  exit 1
}

output=$("$SHUNT" verify --max-ranks 40)
last=$(tail -n 1 <<<"$output")
entries=$({ "$SHUNT" algorithms --json && "$SHUNT" algorithms --allgather --json; } |
  grep -cE '"algorithm"')
[[ $last =~ ^checked\ [0-9]{6}\ schedules\ of\ $entries\ algorithms:\ 0\ violations$ ]] ||
  fail "the last line is: $last"

# four-stage has four stages, at 1 to 10 ranks.
last=$("$SHUNT" verify --max-ranks 10 --algorithm four-stage --threads 3 | tail -n 1)
[[ $last == 'checked 40 schedules of 1 algorithm: 0 violations' ]] || fail "four-stage alone: $last"

# A perfect square is 1, 4 or 9.
last=$("$SHUNT" verify --max-ranks 10 --algorithm row-column-square --destinations 2 | tail -n 1)
[[ $last == 'checked 6 schedules of 1 algorithm: 0 violations' ]] || fail "squares: $last"

# One stage each, on 10 numbers of ranks and 50 random machines.
last=$("$SHUNT" verify --max-ranks 10 --algorithm node-pairwise --random-nodes 50 | tail -n 1)
[[ $last == 'checked 60 schedules of 1 algorithm: 0 violations' ]] || fail "nodes: $last"

# AT2 on 16 ranks, and then on 4x4, 4x8, 8x4 and 8x8: 4, 4, 6, 6 and 6 stages.
last=$("$SHUNT" verify --max-ranks 16 --algorithm torus --longest-extent 8 | tail -n 1)
[[ $last == 'checked 26 schedules of 1 algorithm: 0 violations' ]] || fail "tori: $last"

# Of 7 sets of sources: recursive-halving has ceil(log2 p) stages at 1 to 10 ranks; node-halving at
# least a gathering.
last=$("$SHUNT" verify --max-ranks 10 --algorithm recursive-halving | tail -n 1)
[[ $last == 'checked 175 schedules of 1 algorithm: 0 violations' ]] || fail "recursive-halving: $last"
output=$("$SHUNT" verify --max-ranks 1 --algorithm node-halving --random-nodes 50)
[[ $output =~ node-halving\ +1\ +[0-9]+\ +50\  ]] || fail "all-gathers on nodes: $output"

"$SHUNT" verify --max-ranks 10 --json |
  grep '"summary": "checked [0-9]* schedules of [0-9]* algorithms: 0 violations"' >/dev/null ||
  fail 'the JSON has no summary'

# Pairs of 1 to 3 places and of blocks of 1 to 4: 9 * 16 arrays, in 14 of which not all meet, so that
# there are two schedules by length; beta = 1 to 4 for 6 pairs of places, and pairs of these 24; and
# random ones.
output=$("$SHUNT" verify redistribution --max-places 3 --max-block 4 --random 120 --threads 3)
for line in 'any blocks.* 144 +[0-9]+ +0$' 'the same: messages of a step.* 28 +[0-9]+ +0$' \
  'the 14 of these arrays in which not all meet all: 1.05 by fewest steps' \
  'Guo 2000, Algorithm 1.* 24 +[0-9]+ +0$' 'Guo 2000, Algorithm 2.* 576 +[0-9]+ +0$' \
  'random.* 120 +[0-9]+ +0$'; do
  grep -Eq "^$line" <<<"$output" || fail "redistributions, of which no line is \"$line\": $output"
done
last=$(tail -n 1 <<<"$output")
[[ $last == 'checked 892 schedules of redistributions: 0 violations' ]] || fail "they end with: $last"
"$SHUNT" verify redistribution --max-places 2 --max-block 2 --random 0 --json |
  grep '"summary": "checked 62 schedules of redistributions: 0 violations"' >/dev/null ||
  fail 'the JSON of redistributions has no summary'
