#!/usr/bin/env bash
# The checks of ./check that read the sources find what they look for, and nothing in these sources;
# and it counts cases right.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "$1"
  exit 1
}

copy() {
  rm -rf "$work/tree"
  mkdir "$work/tree"
  cp -r src lab tools include tests examples "$work/tree"
}

# finds SCRIPT SENTENCE: it fails, with this sentence, in the copy.
finds() {
  if "scripts/$1.sh" "$work/tree" >"$work/output"; then fail "$1 finds nothing; it should: $2"; fi
  grep -qF "$2" "$work/output" || fail "$1 says not \"$2\" but $(cat "$work/output")"
}

# put LINE FILE: before the file's first line.
put() {
  sed -i "1i $1" "$work/tree/$2"
}

scripts/layers.sh || fail 'the layers are not kept'
scripts/includes.sh || fail 'includes are missing'

copy
put '#include "planner/choose.hpp"' src/model/parts.cpp
finds layers 'src/model/parts.cpp:1: src/model includes src/planner, which is above it'
copy
put '#include "redistribution/message_steps.hpp"' src/learning/learner.cpp
finds layers 'src/learning includes src/redistribution, which is beside it'
copy
put '#include <mpi.h>' src/model/parts.cpp
finds layers 'src/model/parts.cpp:1: includes mpi.h'
copy
put '#include "model/loads.hpp"' src/model/loads.hpp
finds layers 'src/model/loads.hpp:1: includes itself'
copy
put '#include "model/of_nothing.hpp"' src/model/parts.cpp
finds layers 'no file is called model/of_nothing.hpp'
copy
mkdir "$work/tree/src/new"
echo '#include "shunt/error.hpp"' >"$work/tree/src/new/new.cpp"
finds layers 'src/new/new.cpp:1: is in no line of layers.txt'
copy
sed -i '/"model\/machine.hpp"/d' "$work/tree/src/context/process_set.hpp"
finds includes 'Machine is declared in src/model/machine.hpp, which is not included'

# Of two programs of cases that end with 0 the second one does so before its last case.
log='1: [==========] Running 1 test from 1 test suite.
1: [       OK ] A.B (0 ms)
1: [==========] 1 test from 1 test suite ran. (0 ms total)
1/2 Test #1: whole ..... Passed 0.1 sec
2: [==========] Running 2 tests from 1 test suite.
2: [       OK ] A.B (0 ms)
2/2 Test #2: ended_early ..... Passed 0.1 sec'
awk -v counts="$work/counts" -f scripts/count_cases.awk <<<"$log" >/dev/null
[[ $(<"$work/counts") == '2 1' ]] ||
  fail "a program that ended before its last case: counted as $(<"$work/counts"), not as 2 1"
