#!/usr/bin/env bash
# `shunt draw` writes well-formed SVG, with no script, no stylesheet and nothing from elsewhere.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# draw ARGUMENT...: into a file and to standard output, which are the same.
draw() {
  "$SHUNT" draw "$@" -o "$folder/picture.svg"
  "$SHUNT" draw "$@" | cmp - "$folder/picture.svg"
  xmllint --noout "$folder/picture.svg"
  if grep -E '<script|<style|href|url\(|@import' "$folder/picture.svg"; then
    echo "shunt draw $* depends on something"
    exit 1
  fi
}

for ranks in 1 4 61 256; do
  draw schedule -P "$ranks"
  draw traffic -P "$ranks" --traffic zipf:1.2
done
draw schedule --algorithm node-pairwise --nodes 3,1,5,2
draw traffic --algorithm leaders:2 --nodes 3,1,5,2 --traffic pattern1 --linear
draw links -P 35 --algorithm torus-split:5x7 --traffic neighbours:3
for ranks in 1 2 13 16 61; do
  draw links -P "$ranks"
done
grep -q split "$folder/picture.svg" || {
  echo 'links are not drawn by an algorithm that is made for them'
  exit 1
}
draw links -P 64 --algorithm torus:8x8 --maximum 2
grep -q 'busiest link: 1024 bytes' "$folder/picture.svg" || {
  echo 'a link of torus:8x8 does not carry 64 blocks of 16 bytes'
  exit 1
}

# All-gathers: the same pictures by --sources.
for name in recursive-halving halving-by-shape reposition ring scatter-allgather; do
  draw schedule -P 64 --algorithm $name --sources Dr:16
  [[ $name == ring ]] || draw traffic -P 64 --algorithm $name --sources equal:5 --length 3000
  draw links -P 64 --algorithm $name --sources Sq:9 --array 4x16
done
draw schedule --algorithm node-halving --nodes 3,1,5,2 --sources equal:4
draw traffic -P 9 --algorithm dissemination --sources equal:9 --linear
draw links -P 9 --algorithm direct --sources equal:1 --length 100
# Rank 0 of 3x3 sends to each of three ranks by its links down and up.
grep -q 'busiest link: 300 bytes, from rank 0 to rank 3' "$folder/picture.svg" || {
  echo 'rank 0 does not send three blocks of 100 bytes to rank 3'
  exit 1
}

draw links -P 9 --algorithm direct --sources equal:1 --length 100 --mesh
# On a mesh all six of the ranks below are reached by the link down.
grep -q 'busiest link: 600 bytes, from rank 0 to rank 3' "$folder/picture.svg" || {
  echo 'rank 0 of a mesh does not send six blocks of 100 bytes to rank 3'
  exit 1
}

# refuse SENTENCE ARGUMENT...
refuse() {
  local sentence=$1 status=0 output
  shift
  output=$("$SHUNT" draw "$@" 2>&1 >/dev/null) || status=$?
  if ((status != 2)) || [[ $(head -n 1 <<<"$output") != "shunt: $sentence" ]]; then
    echo "shunt draw $*: status $status and: $output"
    exit 1
  fi
}

refuse 'recursive-halving is an all-gather and needs --sources' schedule -P 8 --algorithm recursive-halving
refuse '--traffic excludes --sources' traffic -P 8 --algorithm recursive-halving --sources equal:2 \
  --traffic zipf
refuse '--sources requires --algorithm' links -P 8 --sources equal:2
refuse '--mesh requires --sources' links -P 8 --algorithm torus-split:2x4 --mesh

cat >"$folder/a<b.timeline" <<'TIMELINE'
{"format":"shunt-timeline","version":1,"ranks":3,"stages":2,"seconds":2.5e-05,"transfers":2}
{"stage":1,"from":0,"to":2,"bytes":512,"begin":0,"end":1.25e-05}
{"stage":2,"from":2,"to":1,"bytes":512,"begin":1.25e-05,"end":2.5e-05}
TIMELINE
draw gantt "$folder/a<b.timeline"
if (($(grep -c 'class="message"' "$folder/picture.svg") != 2)); then
  echo 'the timeline of two messages has other bars'
  exit 1
fi
