#!/usr/bin/env bash
# Wrong arguments end with status 2 and one sentence, right ones with 0.
set -euo pipefail

# expect_refusal SENTENCE ARGUMENT...: status 2, nothing on standard output, the sentence first.
expect_refusal() {
  local sentence=$1 status=0 output errors
  shift
  errors=$(mktemp)
  output=$("$SHUNT" "$@" 2>"$errors") || status=$?
  if ((status != 2)) || [[ -n $output ]] || [[ $(head -n 1 "$errors") != "shunt: $sentence" ]]; then
    echo "shunt $*: status $status, output \"$output\", errors:"
    cat "$errors"
    exit 1
  fi
  rm "$errors"
}

# shellcheck disable=SC2016
no_a9='there is no algorithm "a9"; `shunt algorithms` lists them'

expect_refusal 'a subcommand is required'
expect_refusal 'The following argument was not expected: frobnicate' frobnicate
expect_refusal 'The following argument was not expected: --loud' verify --loud
expect_refusal '--ranks is required, or --nodes with the sizes of the nodes' explain
expect_refusal 'the nodes "1,2,3" have 6 ranks, but must have 5' explain -P 5 --nodes 1,2,3
expect_refusal 'the nodes "blocked:2" do not say how many ranks there are' explain --nodes blocked:2
expect_refusal '--memory is "5X"; it is a number of bytes, with K, M or G behind it for 2^10, 2^20 or 2^30 of them, or 0' \
  run --memory 5X -- true
expect_refusal "$no_a9" verify --algorithm a9
expect_refusal 'neighbour-exchange runs on an even number of ranks, not on 1; ring runs on any number' \
  verify --algorithm neighbour-exchange --max-ranks 1
expect_refusal "$no_a9" explain --algorithm a9 -P 4
expect_refusal 'recursive-halving is an all-gather and needs --sources' explain --algorithm recursive-halving -P 8
# shellcheck disable=SC2016
expect_refusal 'there is no all-gather algorithm "four-stage"; `shunt algorithms --allgather` lists them' \
  explain --algorithm four-stage -P 8 --sources equal:3
expect_refusal 'the number of sources is "", not a positive number' \
  explain --algorithm recursive-halving -P 8 --sources equal
expect_refusal 'the distribution "CYCLIC(0) onto 4" is not understood; it must be as "CYCLIC(6) onto 4", "CYCLIC onto 4", "BLOCK onto 4", "*" or "(BLOCK, *, CYCLIC(2)) onto 2x4"' \
  explain --from 'CYCLIC(0) onto 4' --to 'BLOCK onto 4' --shape 9
expect_refusal 'up to 60 places can be shown, not 61' \
  explain --from 'CYCLIC onto 61' --to 'BLOCK onto 4' --shape 9
expect_refusal 'the distribution "BLOCK, BLOCK onto 2x2" has 2 dimensions, but the array has 1' \
  explain --from 'BLOCK, BLOCK onto 2x2' --to 'BLOCK onto 4' --shape 9
expect_refusal 'the shape "8x0" must be positive extents, as 120000 or 8x8' \
  explain --from 'BLOCK, BLOCK onto 2x2' --to 'BLOCK, BLOCK onto 4x1' --shape 8x0
expect_refusal 'up to 60 places can be shown, not 64' \
  explain --from 'BLOCK, BLOCK onto 8x8' --to 'BLOCK, BLOCK onto 4x1' --shape 8x8
expect_refusal '--by-length: longest not in {sorted,matched}' \
  explain --from 'BLOCK onto 2' --to 'BLOCK onto 4' --shape 8 --by-length longest
expect_refusal '--column-major requires --from' explain -P 8 --column-major
expect_refusal '--max-places: Value 0 not in range 1 to 1000' verify redistribution --max-places 0
expect_refusal '--packet: Value -5 is less than 1' run --packet -5 -- true
expect_refusal '--packet: Value 1e400 is not a whole number' run --packet 1e400 -- true
expect_refusal '--background: Value -1 is less than 0' simulate --machine sp2 --background -1
expect_refusal '--grain: Value 0 is less than 1' bench --grain 0
expect_refusal '--grain: Value 0.5 is not a whole number' bench --grain 0.5
expect_refusal '--grain: Value 99999999999999999999 is more than 9223372036854775807' \
  explain -P 8 --grain 99999999999999999999
expect_refusal '--seed: Value -1 is less than 0' bench --seed -1
expect_refusal '--maximum: Value 99999999999999999999 is more than 9223372036854775807' \
  bench --maximum 1 99999999999999999999
expect_refusal '--ranks: Value 99999999999 is more than 2147483647' explain -P 99999999999
expect_refusal '--ranks: Value 0 not in range 1 to 1073741824' explain -P 0
expect_refusal '--from requires --to' explain --from 'BLOCK onto 4' --shape 9
expect_refusal 'the number of sources is 9, but must be from 0 to 8' \
  explain --algorithm recursive-halving -P 8 --sources equal:9
expect_refusal 'there is no distribution "equals" of sources' \
  explain --algorithm recursive-halving -P 8 --sources equals:1
expect_refusal '3x3 is an array of 9 ranks, not of 8' \
  explain --algorithm recursive-halving -P 8 --sources equal:2 --array 3x3
expect_refusal 'there is no rank 8: the ranks are 0 to 7' \
  explain --algorithm recursive-halving -P 8 --sources equal:2 --rank 8
expect_refusal 'an all-gather among 4097 ranks is too large to show: the most is 4096' \
  explain --algorithm recursive-halving -P 4097 --sources equal:2
expect_refusal 'there is no row 8: the array has rows 0 to 7' explain -P 61 --row 8
expect_refusal 'there is no row -1: the array has rows 0 to 7' explain -P 61 --row -1
expect_refusal 'there is no column 8: the array has columns 0 to 7' explain -P 61 --column 8
expect_refusal 'there is no rank 61: the ranks are 0 to 60' explain -P 61 --rank 61
expect_refusal 'there is no stage 5: four-stage has stages 1 to 4' explain -P 61 --stage 5
expect_refusal 'linear has no stage along columns' explain --algorithm linear -P 61 --column 3
expect_refusal 'groups:5 has no rows and columns; use --rank' \
  explain --algorithm groups:5 -P 9 --row 1
expect_refusal 'the schedule of 129 ranks is too large to show; use --row, --column or --rank' \
  explain -P 129
expect_refusal 'paper is required' reproduce
expect_refusal 'there is no paper "liu1905"; there are: guo2000, hambrusch1998, liu2002, liu2005, sanders2002' \
  reproduce liu1905
expect_refusal 'cannot make the folder /dev/null' reproduce liu2005 --pictures /dev/null
expect_refusal '--simulated-ranks: Value 257 not in range 0 to 256' \
  reproduce liu2002 --simulated-ranks 257
expect_refusal 'what to draw is required' draw
expect_refusal 'The following argument was not expected: house' draw house
expect_refusal '--ranks is required, or --nodes with the sizes of the nodes' draw schedule
expect_refusal '257 ranks are too many to draw; 256 can be' draw schedule -P 257
expect_refusal 'four-stage is not made for the links of a torus' draw links --algorithm four-stage -P 16
expect_refusal 'groups:5 carries no block from rank 0 to rank 0, but the traffic uniform has one' \
  draw traffic --algorithm groups -P 9
expect_refusal 'groups:3 carries no block from rank 0 to rank 0, but the traffic zipf:1.2 has one' \
  explain --algorithm groups:3 -P 9 --traffic zipf:1.2
expect_refusal 'file is required' draw gantt
expect_refusal '/nowhere/at.all: there is no such regular file' draw gantt /nowhere/at.all
expect_refusal '/dev/null/picture.svg: the file cannot be written' \
  draw schedule -P 4 -o /dev/null/picture.svg

for arguments in --help --version 'verify --help' algorithms 'algorithms -P 23 --json' \
  'explain -P 010 --row 1' 'bench schedule --ranks 1,2,1000 --samples 5'; do
  # shellcheck disable=SC2086
  "$SHUNT" $arguments >/dev/null || {
    echo "shunt $arguments: status $?"
    exit 1
  }
done
