#!/usr/bin/env bash
# `shunt reproduce` with few simulated ranks: the times are those of `shunt simulate` and of a hand
# formula, and the figures are pictures. Skipped where the preset smpi was not built.
# shellcheck source=tests/command/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

# A command alone says what is missing, and prints the rest. It has no library of machines either.
mkdir "$work/bin"
cp "$SHUNT" "$work/bin"
"$work/bin/shunt" reproduce sanders2002 >"$work/alone"
grep -q '^The simulated figures are left out: there is no smpi/shunt-simulated' "$work/alone" ||
  fail "a command alone: $(cat "$work/alone")"
"$work/bin/shunt" reproduce sanders2002 --json | grep '"left_out": "The simulated figures are' >/dev/null ||
  fail 'the JSON of a command alone does not say what is left out'

here=$(dirname "$(readlink -f "$SHUNT")")
if ! command -v smpirun >/dev/null || [[ ! -e $here/../../smpi/lib/shunt/smpi/shunt-simulated ]]; then
  echo 'skipped: SimGrid or the build of the preset smpi is not here'
  exit 77
fi

# reproduce PAPER RANKS: its text and its pictures.
reproduce() {
  "$SHUNT" reproduce "$1" --simulated-ranks "$2" --pictures "$work" >"$work/$1" 2>"$work/errors" || {
    cat "$work/errors"
    fail "reproduce $1"
  }
  (($(wc --max-line-length <"$work/$1") <= 80)) || fail "$1: a line is wider than a page"
}

# expect PAPER LINE: its text has a line that begins with LINE, blanks squeezed.
expect() {
  grep -q "^$2" <<<"$(tr -s ' ' <"$work/$1")" || fail "$1: no line begins with \"$2\""
}

# simulate NAME ARGUMENT...: the microseconds that `shunt simulate` finds for it.
simulate() {
  local name=$1
  shift
  "$SHUNT" simulate "$@" --window 64 --json 2>/dev/null | tr -d '\n' |
    grep -oE "\{[^{}]*\"algorithm\": \"$name\"[^{}]*\}" | grep -oE '"time_us": [0-9.e+-]+' |
    cut -d' ' -f2
}

reproduce liu2002 4
# Ranks 1 and 2 have 1024 elements of 48 bytes for each other, rank 2 after three start-ups.
expect liu2002 "T3D, Pattern 2, one buffer 1024 $(awk 'BEGIN { printf "%.2f", 3 * 0.038 + 49168 * 0.043e-3 }') "
# What is on which machine, in which mode, with which elements.
for run in 't3d 48 pattern1 four-stage blocking T3D, Pattern 1, blocking 1024 [0-9.]* [0-9.]* [0-9.]*' \
  'sp2 22 pattern2 two-stage single SP2, Pattern 2, one buffer 1024 [0-9.]*' \
  'sp2 22 pattern1 row-column dual SP2, Pattern 1, two buffers 1024 [0-9.]* [0-9.]*'; do
  read -r machine element pattern algorithm mode line <<<"$run"
  time=$(simulate "$algorithm" --algorithm "$algorithm" --machine "$machine" -n 4 --maximum 1024 \
    --pattern "$pattern" --element "$element" --grain "$element" --mode "$mode" \
    --built-in alltoallv:ring)
  expect liu2002 "$line $(awk -v us="$time" 'BEGIN { printf "%.2f", us / 1000 }')"
done
expect liu2002 'SP2, Pattern 1 4 [0-9.]* [0-9.]*$'
expect liu2002 'Fig. 15 blocking: A4 is ahead 30 0 fails T3D, Pattern 1,'
expect liu2002 'Fig. 22 SP2: A4 is faster with 14 14 holds'
for figure in figures-15-17 figure-16 figure-18 figures-19-22 figure-23; do
  xmllint --noout "$work/liu2002-$figure.svg"
done

reproduce sanders2002 14
pipe=(--machine giganet --nodes "1,2,4,4,2,1" --pattern uniform --maximum 4096 --grain 1)
pipe+=(--built-in alltoall:basic_linear)
base=$(simulate alltoall:basic_linear "${pipe[@]}" --algorithm linear)
ratios=
for way in 'node-pairwise single' 'node-pairwise blocking' 'linear single'; do
  read -r algorithm mode <<<"$way"
  time=$(simulate "$algorithm" "${pipe[@]}" --algorithm "$algorithm" --mode "$mode")
  ratios+=$(awk -v base="$base" -v time="$time" 'BEGIN { printf "%.3f ", base / time }')
done
expect sanders2002 "organ pipe (1,2,4,4,2,1) 4096 $ratios"
expect sanders2002 '4 never slower than all 7 5 not organ pipe'
expect sanders2002 '4 10 to 20% faster where 7 0 fails organ pipe'
xmllint --noout "$work/sanders2002-nodes.svg"

reproduce hambrusch1998 4
# On a torus of the array's extents, with the line of recursive-halving through it; on as many nodes
# of a T3D.
for run in 'paragon 1024 2x2 Dr 2 halving-by-source:2x2 Dr(sqrt p) 4 [0-9.]* [0-9.]* [0-9.]*' \
  'paragon 1024 2x2 Dr 2 recursive-halving:2x2 Dr(sqrt p) 4 [0-9.]* [0-9.]*' \
  'paragon 6144 2x2 Cr 3 partition-by-source:2x2 Cr 3 [0-9.]* [0-9.]*' \
  't3d 32768 2x2 Sq 4 gather-broadcast Sq 4'; do
  read -r machine length array distribution sources algorithm line <<<"$run"
  time=$(simulate "$algorithm" --machine "$machine" -n 4 --array "$array" --sources "$sources" \
    --distribution "$distribution" --length "$length" --mode single --algorithm "$algorithm" \
    --built-in allgatherv:ring)
  expect hambrusch1998 "$line $(awk -v us="$time" 'BEGIN { printf "%.3f", us / 1000 }')"
done
expect hambrusch1998 'Fig. PersAlltoAll within a tenth 1 0 fails 4 ranks, ms:'
for figure in 3-simulated 5 9-simulated 11 11b 12 13; do
  xmllint --noout "$work/hambrusch1998-figure-$figure.svg"
done
