#!/usr/bin/env bash
# `shunt simulate`: exact to the last digit, every byte in its place, times as a hand formula has
# them. Skipped where the preset smpi was not built.
# shellcheck source=tests/command/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

# refuse SENTENCE ARGUMENT...: status 2 and this sentence, nothing on standard output.
refuse() {
  local sentence=$1 status=0 output
  shift
  output=$("$SHUNT" simulate "$@" 2>"$work/errors") || status=$?
  if ((status != 2)) || [[ -n $output ]] || [[ $(tail -n 1 "$work/errors") != "shunt: $sentence" ]]; then
    fail "simulate $*: status $status, output \"$output\", errors: $(cat "$work/errors")"
  fi
}

# machine NAME SHAPE RANKS_PER_NODE: a machine of 10 us a start-up, 1 ns a byte on a link, 1 us and
# 0.1 ns inside a node; copies are free.
machine() {
  cat >"$work/$1.json" <<JSON
{"format": "shunt-machine", "version": 1, "about": "a test", "source": "nowhere", $2,
 "ranks_per_node": $3, "start_up": 10e-6, "per_byte": 1e-9, "memory_start_up": 1e-6,
 "memory_per_byte": 1e-10, "copy_per_byte": ${4:-0}}
JSON
}

# simulate MACHINE ARGUMENT...
simulate() {
  local name=$1
  shift
  "$SHUNT" simulate --machine "$work/$name.json" "$@" 2>"$work/errors" || {
    cat "$work/errors"
    fail "simulate $name $*"
  }
}

# time_of ALGORITHM: microseconds, from JSON on standard input of one traffic.
time_of() {
  tr -d '\n' | grep -oE "\{[^{}]*\"algorithm\": \"$1\"[^{}]*\}" |
    grep -oE '"time_us": [0-9.e+-]+' | cut -d' ' -f2
}

# expect_time WHAT MICROSECONDS EXPECTED: equal but for rounding.
expect_time() {
  awk -v a="$2" -v b="$3" 'BEGIN { d = (a - b) / b; exit !(d < 1e-9 && d > -1e-9) }' ||
    fail "$1: $2 us, and not $3"
}

machine flat '"topology": "flat", "nodes": 8' 1
machine nodes '"topology": "flat", "nodes": 2' 4
machine torus '"topology": "torus", "extents": [3, 4]' 1
machine even '"topology": "torus", "extents": [8, 8]' 1
# An exchange, and two all-gathers: of 1000 bytes from each rank, and of 3000 from rank 0.
recorded=$work/recorded.shunt
printf '{"format":"shunt-trace","version":2,"ranks":4,"element_bytes":1,"matrices":[%s,%s,%s],%s}\n' \
  '{"bytes":6}' '{"bytes":8,"allgather":true}' '{"bytes":5,"allgather":true}' \
  '"calls":[{"matrix":1,"repeats":2},{"matrix":0,"repeats":1},{"matrix":2,"repeats":3}]' >"$recorded"
printf '\1\2\5\0\0\0\xE8\7\xE8\7\xE8\7\xE8\7\xB8\x17\0\0\0' >>"$recorded"
machine mesh '"topology": "mesh", "extents": [3, 4]' 1
machine small '"topology": "mesh", "extents": [2, 3]' 1
machine closed '"topology": "torus", "extents": [2, 3]' 1
# 100000 bytes from rank 1 to its neighbour 0, and from rank 2 to rank 3, one row and two columns on.
across=$work/across.shunt
printf '{"format":"shunt-trace","version":1,"ranks":6,"element_bytes":1,%s,"calls":[]}\n' \
  '"matrices":[{"bytes":14}]' >"$across"
printf '\0\1\0\xA0\x8D\6\1\3\xA0\x8D\6\0\0\0' >>"$across"
machine copies '"topology": "flat", "nodes": 8' 1 1e-8

# Wrong use needs no simulator.
# shellcheck disable=SC2016
refuse 'there is no machine "sp9"; `shunt simulate --machines` lists them, and a file'"'"'s name ends in .json' \
  --machine sp9
refuse '--machine is required; --machines lists them'
echo '{}' >"$work/broken.json"
refuse "$work/broken.json: \"format\" is missing" --machine "$work/broken.json"
refuse 'the machine sp2 has ranks for 1 to 100, not for 101' --machine sp2 -n 101
refuse 'the machine cluster has 64 nodes for up to 16 ranks each, not 2 for up to 17' \
  --machine cluster --nodes 17,1
refuse 'the nodes "4,4" have 8 ranks, but must have 9' --machine cluster --nodes 4,4 -n 9
refuse 'the machine torus-16x16 is a torus, which takes all of its 256 ranks, not 255' \
  --machine torus-16x16 -n 255
# shellcheck disable=SC2016
refuse 'there is no algorithm "a9"; `shunt algorithms` lists them' --machine sp2 --algorithm a9
refuse '--built-in is "ring"; it begins with alltoall: or alltoallv:' --machine sp2 --built-in ring
refuse '--built-in alltoall:ring takes blocks of one length, which zipf:1 has not' \
  --machine sp2 --built-in alltoall:ring --pattern zipf:1
refuse '--built-in is "alltoallv:ring"; that of an all-gather begins with allgather: or allgatherv:' \
  --machine sp2 --sources 30 --built-in alltoallv:ring
refuse '--built-in allgather:ring takes blocks of one length, and not all ranks send one' \
  --machine sp2 --sources 30 --built-in allgather:ring
refuse 'the number of sources is 10, but must be from 0 to 9' --machine sp2 -n 9 --sources 10
refuse 'the number of sources is "0", not a positive number' --machine sp2 --sources 0
refuse 'there is no distribution "Xy" of sources' --machine sp2 --sources 3 --distribution Xy
refuse "$recorded#1 says which ranks have which blocks, and goes with neither --distribution nor --length" \
  --machine sp2 -n 4 --sources "$recorded#1" --length 1000
refuse "\"$recorded#0\" is an exchange, but an all-gather is asked for" \
  --machine sp2 -n 4 --sources "$recorded#0"
refuse "the trace \"$recorded\" has 4 ranks, but 100 are asked for" \
  --machine sp2 --sources "$recorded#1"
# shellcheck disable=SC2016
refuse 'there is no all-gather algorithm "four-stage"; `shunt algorithms --allgather` lists them' \
  --machine sp2 --sources 3 --algorithm four-stage
refuse '--timeline is of one exchange: it needs --fast, one --algorithm, one --length' \
  --machine sp2 --sources 3 --timeline "$work/t"
# So deep that nothing beside the folder of temporary files is found.
mkdir -p "$work/prefix/bin"
cp "$SHUNT" "$work/prefix/bin"
status=0
"$work/prefix/bin/shunt" simulate --machine "$work/flat.json" >"$work/output" 2>&1 || status=$?
if ((status != 2)) || ! grep -q '^shunt: there is no smpi/shunt-simulated, which runs inside the simulation: build it by `cmake --preset smpi' "$work/output"; then
  fail "a command alone: status $status, $(cat "$work/output")"
fi

# The library of machines: what the issue names, each of them readable.
machines=$("$SHUNT" simulate --machines --json | grep -oE '"machine": "[^"]*"' | cut -d'"' -f4)
for name in cluster dragonfly fat-tree giganet paragon sp2 t3d torus-16x16 torus-32x32 torus-8x8x8; do
  grep -qx "$name" <<<"$machines" || fail "there is no machine $name"
done
(($("$SHUNT" simulate --machines | wc --max-line-length) <= 80)) || fail 'the list is too wide'

here=$(dirname "$(readlink -f "$SHUNT")")
# By the pure model, for which SMPI is not needed: linear's steps one after another.
machine many '"topology": "flat", "nodes": 5000' 1
machine tree '"topology": "fat-tree", "levels": [{"children": 4, "parents": 2, "cables": 1}]' 1
time_linear=$(simulate flat --fast --maximum 1000 --algorithm linear --json | time_of linear)
expect_time 'linear by the model' "$time_linear" 77
time_linear=$(simulate many --fast --maximum 1000 --algorithm linear --json | time_of linear)
expect_time 'linear of 5000 ranks by the model' "$time_linear" 54989
simulate flat --fast --maximum 1000 --algorithm four-stage --timeline "$work/four-stage.timeline" |
  grep '^modelled 1 exchange$' >/dev/null || fail 'the model does not say what it did'
"$SHUNT" draw gantt "$work/four-stage.timeline" | grep '</svg>' >/dev/null || fail 'no picture of a timeline'
# A line of 8 ranks is halved three times.
time_line=$(simulate flat --fast --sources 1 --length 1000 --algorithm recursive-halving --json |
  time_of recursive-halving)
expect_time 'recursive-halving by the model' "$time_line" 33
simulate flat --fast --sources 3 --length 1000 --algorithm recursive-halving --timeline "$work/b.timeline" |
  grep '^modelled 1 all-gather$' >/dev/null || fail 'the model does not say what it did'
"$SHUNT" draw gantt "$work/b.timeline" | grep '</svg>' >/dev/null || fail 'no picture of an all-gather'
time_line=$(simulate flat --fast -n 4 --sources "$recorded#2" --algorithm recursive-halving --json |
  time_of recursive-halving)
expect_time 'a recorded all-gather by the model' "$time_line" 26
[[ $(simulate nodes --fast --sources 2 | grep -cE '^(recursive-halving|node-halving|gather-broadcast) ') == 3 ]] ||
  fail 'the model leaves allgathers out'
[[ $(simulate nodes --fast --maximum 8 | grep -cE '^(pairwise|four-stage|leaders:1) ') == 3 ]] ||
  fail 'the model leaves algorithms out'
time_line=$(simulate mesh --fast --array 5 --sources 1 --length 1000 --algorithm direct --json |
  time_of direct)
expect_time 'four messages by one link of a line, by the model' "$time_line" 44
refuse 'tree is neither a flat machine nor a torus or mesh of one rank a node; the model knows no others' \
  --machine "$work/tree.json" --fast
refuse '--timeline is of one exchange: it needs --fast, one --algorithm, one --maximum' \
  --machine "$work/flat.json" --fast --timeline "$work/t"
linear=alltoallv:ompi_basic_linear
for arguments in '--fast --at-once --built-in alltoallv:ring' '--fast --built-in alltoallv:ring'; do
  # shellcheck disable=SC2086
  refuse "--fast is without SMPI, and cannot make alltoallv:ring: it knows $linear alone, with --at-once" \
    --machine "$work/flat.json" $arguments
done
refuse "--fast is without SMPI, and cannot make $linear: it knows $linear alone, with --at-once" \
  --machine "$work/flat.json" --fast --built-in $linear
refuse '--at-once says how the model posts messages, and needs --fast' \
  --machine "$work/flat.json" --at-once
# Posted at once: start-ups one after the other, and the last of linear's messages has its ports alone.
# The linear exchange ends with seven messages for rank 7.
output=$(simulate flat --fast --at-once --maximum 1000 --algorithm linear --built-in $linear --json)
expect_time 'linear at once' "$(time_of linear <<<"$output")" 71
expect_time 'the linear exchange' "$(time_of $linear <<<"$output")" 77
grep -q "\"form\": \"built-in\"" <<<"$output" || fail "no form of $linear: $output"
simulate flat --fast --at-once --sources 2 --length 1000 | grep '^recursive-halving ' >/dev/null ||
  fail 'the model posts no all-gathers at once'

if ! command -v smpirun >/dev/null || [[ ! -e $here/../../smpi/lib/shunt/smpi/shunt-simulated ]]; then
  echo 'skipped: SimGrid or the build of the preset smpi is not here'
  exit 77
fi

# Every byte arrives, on a torus of odd extents and on two nodes; the same digits twice.
for run in 'torus -n 12' 'mesh -n 12' 'nodes -n 8'; do
  read -r name arguments <<<"$run"
  # shellcheck disable=SC2086
  first=$(simulate "$name" $arguments --pattern zipf:1.2 --maximum 300 --form plan --form one-shot)
  # shellcheck disable=SC2086
  second=$(simulate "$name" $arguments --pattern zipf:1.2 --maximum 300 --form plan --form one-shot)
  [[ $first == "$second" ]] || fail "$name: not the same twice: $first $second"
  grep -qE '^verified [0-9]{2} exchanges, 0 wrong bytes$' <<<"$first" || fail "$name: $first"
  (($(wc --max-line-length <<<"$first") <= 80)) || fail "the table is too wide"
done
grep -q '^torus-split:3x4 ' <<<"$(simulate torus --maximum 1)" || fail 'no exchange for tori'
! grep -q '^torus-split:3x4 ' <<<"$(simulate mesh --maximum 1)" || fail 'an exchange for tori on a mesh'
# On a torus "auto" tries what keeps all of its links busy.
output=$(simulate even --maximum 4000 --mode dual --form plan \
  --algorithm linear torus:8x8 torus-pipeline:8x8 auto --built-in alltoallv:mpich --json)
expect_time "auto on a torus" "$(time_of auto <<<"$output")" \
  "$(time_of torus-pipeline:8x8 <<<"$output")"
# On a mesh rank 2's message goes along its row first, by rank 1 and its link to rank 0; on a torus
# over the rim.
for run in 'small 210.032' 'closed 110.016'; do
  read -r name expected <<<"$run"
  time_linear=$(simulate "$name" --pattern "$across" --algorithm linear --mode single \
    --built-in alltoallv:mpich --json | time_of linear)
  expect_time "linear on the machine $name" "$time_linear" "$expected"
done

# The model that posts all at once comes to the same times, but for the 16 bytes that SMPI adds.
for traffic in 'zipf:1.2 300' 'pattern1 100000' 'random 5000'; do
  read -r pattern maximum <<<"$traffic"
  posted=(nodes --pattern "$pattern" --maximum "$maximum" --algorithm linear --built-in $linear --json)
  by_smpi=$(simulate "${posted[@]}" --window 100)
  by_model=$(simulate "${posted[@]}" --fast --at-once)
  for name in linear $linear; do
    awk -v a="$(time_of $name <<<"$by_smpi")" -v b="$(time_of $name <<<"$by_model")" \
      'BEGIN { d = a / b - 1; exit !(d < 0.005 && d > -0.005) }' ||
      fail "$name at once, $traffic: by SMPI $by_smpi, by the model $by_model"
  done
done

# The same of all-gathers; the torus has other extents than its file's.
for run in 'torus --array 3x5 --distribution Cr --sources 7 --length 2000' \
  'mesh --array 3x5 --distribution Cr --sources 7 --length 2000' \
  'nodes -n 8 --distribution random --sources 3 --length 700'; do
  read -r name arguments <<<"$run"
  # shellcheck disable=SC2086
  first=$(simulate "$name" $arguments --form plan --form one-shot)
  # shellcheck disable=SC2086
  second=$(simulate "$name" $arguments --form plan --form one-shot)
  [[ $first == "$second" ]] || fail "$name: not the same twice: $first $second"
  grep -qE '^verified [0-9]{2} all-gathers, 0 wrong bytes$' <<<"$first" || fail "$name: $first"
  (($(wc --max-line-length <<<"$first") <= 80)) || fail "the table is too wide"
done
grep -q '^node-halving ' <<<"$first" || fail 'no allgather by nodes'
# A recorded all-gather is that of the same blocks; its calls together take as long as one by one.
alike=(flat -n 4 --algorithm recursive-halving --built-in allgatherv:mpich --json)
even=$(simulate "${alike[@]}" --sources "$recorded#1" | time_of recursive-halving)
expect_time 'a recorded all-gather' "$even" \
  "$(simulate "${alike[@]}" --sources 4 --length 1000 | time_of recursive-halving)"
single=$(simulate "${alike[@]}" --sources "$recorded#2" | time_of recursive-halving)
replayed=$("$SHUNT" replay "$recorded" --machine "$work/flat.json" --form plan --algorithm linear \
  --allgather recursive-halving 2>"$work/errors") || fail "replay: $(cat "$work/errors")"
grep -qE '^verified 6 exchanges, 0 wrong bytes$' <<<"$replayed" || fail "replay: $replayed"
seconds=$(sed -n '/^all-gathers: 5;/,$p' <<<"$replayed" |
  sed -n 's/^recursive-halving *plan *\([0-9.]*\) .*/\1/p')
expect_time 'all allgathers of a trace' "${seconds:-0}" \
  "$(awk -v a="$even" -v b="$single" 'BEGIN { printf "%.6f", (2 * a + 3 * b) * 1e-6 }')"
(($(wc --max-line-length <<<"$replayed") <= 80 + ${#work})) || fail "replay: long lines: $replayed"
"$SHUNT" replay "$recorded" --machine "$work/torus.json" 2>"$work/errors" >/dev/null &&
  fail 'a torus takes a trace of other ranks'
grep -q '^shunt: the machine torus is a torus, which takes all of its 12 ranks, not 4$' \
  "$work/errors" || fail "replay on a torus: $(cat "$work/errors")"
for traffic in '--maximum 20' '--sources 3 --length 20'; do
  # shellcheck disable=SC2086
  simulate nodes $traffic --algorithm auto --form plan --form one-shot |
    grep -cE '^auto +dual +(plan|one-shot) ' | grep -x 2 >/dev/null || fail "\"auto\" is not there: $traffic"
done
# All ranks choose alike, also where two all-gathers take the same time.
for ((i = 0; i < 8; ++i)); do
  "$SHUNT" simulate --machine cluster -n 4 --sources 1 --length 4096 --algorithm auto \
    --built-in allgatherv:mpich >"$work/chosen$i" 2>"$work/errors" || fail "$(cat "$work/errors")"
  cmp "$work/chosen0" "$work/chosen$i" || fail '"auto" is not the same twice'
done
# What the first call of all finds out is not its time.
once=(nodes --sources 3 --length 20 --form one-shot --built-in allgatherv:ring --json --algorithm)
alone=$(simulate "${once[@]}" node-halving | time_of node-halving)
later=$(simulate "${once[@]}" node-halving-direct node-halving | time_of node-halving)
expect_time 'a one-shot all-gather after another' "$later" "$alone"
refuse 'there is no all-gather algorithm "auto"; `shunt algorithms --allgather` lists them' \
  --machine "$work/nodes.json" --fast --sources 3 --algorithm auto
wide=$(simulate nodes -n 8 --sources 3 --length 100 --mode blocking --built-in allgatherv:ring \
  --algorithm reposition-by-source:1x1x1x2x2x2,if-it-pays)
(($(wc --max-line-length <<<"$wide") <= 80)) || fail "a long name is not broken: $wide"
grep -q '^halving-by-shape:3x5 ' <<<"$(simulate torus --array 3x5 --sources 1 --algorithm halving-by-shape \
  --built-in allgatherv:ring)" || fail 'the array is not that of the torus'
simulate flat --sources 8 --length 1000 --memory 0 --algorithm recursive-halving --built-in allgatherv:ring |
  grep '^timed 2 all-gathers, payloads not real$' >/dev/null || fail 'payloads of all-gathers were real'

# Four sources exchange a block, and then two that lie apart in two of the pairs; SMPI's ring passes
# on one three times. Copied are the own block, and two blocks before and after the second message:
# by the engine where it is short, and else by MPI.
allgather=(-n 4 --sources 4 --algorithm recursive-halving --built-in allgatherv:ring --json --length)
output=$(simulate flat "${allgather[@]}" 1000)
expect_time 'recursive-halving' "$(time_of recursive-halving <<<"$output")" 23.032
expect_time 'the ring' "$(time_of allgatherv:ring <<<"$output")" 33.048
for length in 1000 100000; do
  free=$(simulate flat "${allgather[@]}" $length --mode blocking | time_of recursive-halving)
  copied=$(simulate copies "${allgather[@]}" $length --mode blocking | time_of recursive-halving)
  expect_time "copies of $length bytes" "$(awk -v a="$copied" -v b="$free" 'BEGIN { print a - b }')" \
    $((length / 20))
done

# Two ranks of one node, whose memory carries both messages, and of two.
pair=(--algorithm linear --built-in alltoallv:ring --maximum 1000 --json)
expect_time 'in a node' "$(simulate nodes -n 2 "${pair[@]}" | time_of alltoallv:ring)" 1.2032
expect_time 'between nodes' \
  "$(simulate nodes --nodes 1,1 "${pair[@]}" | time_of alltoallv:ring)" 11.016

# SMPI keeps every message until it is received: blocking mode must not wait for its tokens.
machine three '"topology": "flat", "nodes": 3' 3
for nodes in 2,2,2 1,2,3; do
  simulate three --nodes "$nodes" --maximum 8 --mode blocking --algorithm node-pairwise \
    --built-in alltoallv:ring | grep '^verified 2 exchanges, 0 wrong bytes$' >/dev/null ||
    fail "node-pairwise on nodes of $nodes"
done

# SMPI's own pair_rma loses bytes, as it happens: that is found, and is no success.
status=0
output=$("$SHUNT" simulate --machine "$work/flat.json" --algorithm linear \
  --built-in alltoall:pair_rma 2>/dev/null) || status=$?
if ((status != 1)) || ! grep -qE '^verified 2 exchanges, [1-9][0-9]* wrong bytes$' <<<"$output"; then
  fail "wrong bytes: status $status, $output"
fi

# linear step by step: 7 messages of 1000 bytes and SMPI's 16 of header, one after another.
blocking=(--algorithm linear --mode blocking --built-in alltoallv:ring --maximum 1000 --json)
output=$(simulate flat "${blocking[@]}")
time=$(time_of linear <<<"$output")
barrier=$(simulate flat "${blocking[@]}" --pattern zero | time_of linear)
expect_time 'linear on a flat machine' "$(awk -v a="$time" -v b="$barrier" 'BEGIN { print a - b }')" \
  "$(awk 'BEGIN { print 7 * (10 + 1.016) }')"
expect_time 'pairwise on a flat machine' "$(time_of alltoallv:ring <<<"$output")" \
  "$(awk 'BEGIN { print 7 * (10 + 1.016) }')"
grep -q '"bound_us": 7.0' <<<"$output" || fail "7000 bytes leave each node: $output"

# What is copied costs time: the block to oneself, 1000 bytes at 10 ns.
copied=$(simulate copies "${blocking[@]}" | time_of linear)
expect_time 'a copied block' "$(awk -v a="$copied" -v b="$time" 'BEGIN { print a - b }')" 10

# Ranks are neighbours on the simulated torus as they are to the algorithm: with long blocks it comes
# near the bound of the links, which it could not if messages met.
for run in 'torus torus-split:3x4' 'even torus-pipeline:8x8'; do
  read -r name algorithm <<<"$run"
  share=$(simulate "$name" --maximum 1000000 --algorithm "$algorithm" --built-in alltoallv:ring \
    --json | tr -d '\n' | grep -oE "\{[^{}]*\"algorithm\": \"$algorithm\"[^{}]*\}" |
    grep -oE '"bound_over_this": [0-9.]+' | cut -d' ' -f2)
  awk -v share="$share" 'BEGIN { exit !(share > 0.97 && share <= 1) }' ||
    fail "$algorithm is at $share of the bound"
done
# So many bytes are not kept.
simulate even --maximum 1000000 --algorithm linear --built-in alltoallv:ring |
  grep '^timed 2 exchanges, payloads not real$' >/dev/null || fail 'long payloads were real'

# SMPI's own that are chosen by themselves run on any number of ranks.
for ranks in 3 100; do
  "$SHUNT" simulate --machine sp2 -n $ranks --maximum 8 --algorithm linear >"$work/text" 2>"$work/errors" ||
    fail "sp2 with $ranks ranks: $(cat "$work/errors")"
done

# Where the command lies in a folder whose name smpirun would split.
mkdir -p "$work/a blank:colon/lib/shunt"
cp -r "$here/../../smpi/lib/shunt/smpi" "$work/a blank:colon/lib/shunt"
mkdir "$work/a blank:colon/bin"
cp "$SHUNT" "$work/a blank:colon/bin"
cp -r "$here/../share" "$work/a blank:colon"
"$work/a blank:colon/bin/shunt" simulate --machine cluster -n 2 --algorithm linear \
  --built-in alltoallv:ring >/dev/null 2>"$work/errors" || fail "a blank: $(cat "$work/errors")"
TMPDIR="$work/a blank:colon" refuse \
  "TMPDIR is $work/a blank:colon; simulations need a folder without blanks in its name" \
  --machine cluster -n 2
[[ $(ls "$work/a blank:colon") == $'bin\nlib\nshare' ]] || fail 'files are left'
