#!/usr/bin/env bash
# The papers' names of algorithms are taken everywhere, and what is printed has the names.
set -euo pipefail

fail() {
  echo "$@"
  exit 1
}

# says TEXT ARGUMENTS: the command prints it.
says() {
  local output
  output=$("$SHUNT" "${@:2}" 2>&1) || fail "${*:2}:" "$output"
  grep -qE "$1" <<<"$output" || fail "${*:2} does not say $1:" "$output"
}

says '^four-stage on 61 ranks: ' explain --algorithm a4 -P 61
says '^grid:4x on 16 ranks: ' explain --algorithm collect:4x -P 16
says '^recursive-halving from 4 of 8 ranks: ' explain --algorithm br-lin -P 8 --sources equal:4
says '^halving-by-shape:2x4 from 4 of 8 ranks: ' explain --algorithm br-xy-dim:2x4 -P 8 \
  --sources equal:4
says '^linear ' verify --max-ranks 3 --algorithm a1
says '^node-halving ' verify --max-ranks 3 --algorithm br-nodes
says '^ring .*[0-9]' verify --max-ranks 3 --algorithm ring
says '^row-column ' simulate --machine sp2 --fast -n 4 --algorithm a3 --maximum 8
says '^gather-broadcast ' simulate --machine sp2 --fast -n 4 --sources 2 --algorithm 2-step
says '"algorithm": "linear"' predict --no-run -n 2 --algorithm a1 --json
says 'The schedule of node-pairwise on 6 ranks' draw schedule --algorithm hierarchical-factor \
  --nodes 1,2,3

# Both are listed, on a page of 80 columns.
for option in '' --allgather; do
  width=$("$SHUNT" algorithms $option | wc --max-line-length)
  ((width <= 80)) || fail "algorithms $option has lines of $width characters"
done
says '^four-stage +a4 +Liu' algorithms
says '^direct +pers-all-to-all +Hambrusch' algorithms --allgather
listed=$("$SHUNT" algorithms --json | tr -d ' \n')
for row in '"algorithm":"four-stage","alias":"a4"' '"algorithm":"torus-ring:<P>","alias":null'; do
  grep -qF "${row%,*}" <<<"$listed" || fail "no $row in the JSON"
  tr '{' '\n' <<<"$listed" | grep -F "${row%,*}" | grep -F "${row#*,}" >/dev/null ||
    fail "no $row in the JSON"
done

# "ring" is an all-gather alone.
status=0
output=$("$SHUNT" simulate --machine sp2 --fast -n 4 --algorithm ring 2>&1) || status=$?
if ((status != 2)) || [[ $output != *'there is no algorithm "ring"'* ]]; then
  fail "status $status: $output"
fi
