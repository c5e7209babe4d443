#!/usr/bin/env bash
# Beside tools that take the same functions by MPI's profiling interface: in every order each call is
# seen once by the tool and made by Shunt, whose own calls of MPI the tool does not see.
# shellcheck disable=SC2016,SC2086
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

library=$(readlink -f "$library")
tool=$(readlink -f "$bin/../lib/libcounting_tool.so")
tool_next=$(readlink -f "$bin/../lib/libcounting_tool_next.so")

# with PRELOADS PROGRAM: its output, and what the tool says.
with() {
  rm -f "$stats"
  SHUNT_STATS=$stats $SHUNT_MPIRUN -n 2 sh -c 'LD_PRELOAD=$0${LD_PRELOAD:+:$LD_PRELOAD} exec "$@"' \
    "$1" "$2" >"$work/out" 2>"$work/err" || fail "$2 fails with $1: $(cat "$work/err")"
  grep -h '^tool: ' "$work/err" >>"$work/out" || true
}

# expect_as_before ORDER CALLS: the program and the tool say the same as without Shunt, which has made
# so many calls of MPI_Alltoallv.
expect_as_before() {
  diff -u "$work/expected" "$work/out" || fail "$1: the program or the tool says something else"
  [[ $(counted MPI_Alltoallv) == "$2 0" ]] || fail "$1: the calls are not Shunt's: $(cat "$stats")"
}

with "$tool" "$bin/collectives_c"
cp "$work/out" "$work/expected"
[[ $(grep -c '^tool: ' "$work/expected") == 1 ]] || fail 'the tool says nothing by itself'
with "$tool:$library" "$bin/collectives_c"
expect_as_before 'the tool in front' 6
# The statistics name the program, whoever lies between.
grep -q '"module": ".*/collectives_c"' "$stats" || fail "the program is not named: $(cat "$stats")"
if grep -q counting_tool "$stats"; then fail 'the tool is taken for the program'; fi
with "$library:$tool" "$bin/collectives_c"
expect_as_before 'the tool behind' 6
if grep -q counting_tool "$stats"; then fail 'the tool is taken for the program'; fi
with "$library" "$bin/collectives_with_tool"
expect_as_before 'a tool in the program' 6
with "$library" "$bin/collectives_on_tool"
expect_as_before 'a tool in a library of the program' 6
# Tools that go on to the next MPI_X can be in front.
with "$tool_next:$library" "$bin/collectives_c"
expect_as_before 'a tool in front that goes on to MPI_X' 6

# What they cannot be is said once.
output=$(SHUNT_VERBOSE=1 with "$library:$tool_next" "$bin/collectives_c" && cat "$work/err")
grep -qF "shunt: MPI_Alltoall is made by $tool_next, which does not call PMPI_Alltoall, so Shunt makes \
none of its calls; preloaded in front of Shunt it passes them on" <<<"$output" ||
  fail "no word of a tool that bypasses Shunt: $output"
[[ $(grep -c 'is made by' <<<"$output") == 1 ]] || fail "it is said more than once: $output"
mpi=$(ldd "$bin/collectives_c" | awk '/libmpi(ch)?\.so/ { print $3 }')
output=$(SHUNT_VERBOSE=1 with "$library:$mpi:$tool" "$bin/collectives_c" && cat "$work/err")
grep -qF "shunt: $tool has MPI_Alltoall too, but lies behind MPI or another tool, or was loaded with \
RTLD_LOCAL: it sees no call of that name" <<<"$output" ||
  fail "no word of a tool that sees nothing: $output"

# Fortran.
for interface in mpif_h mpi mpi_f08; do
  with "$tool" "$bin/collectives_$interface"
  cp "$work/out" "$work/expected"
  [[ $(grep -c '^tool: ' "$work/expected") == 1 ]] || fail "the tool says nothing of $interface"
  with "$tool:$library" "$bin/collectives_$interface"
  expect_as_before "$interface, the tool in front" 4
  with "$library:$tool" "$bin/collectives_$interface"
  expect_as_before "$interface, the tool behind" 4
done
