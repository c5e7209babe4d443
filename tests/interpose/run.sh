#!/usr/bin/env bash
# `shunt run`: launchers, settings, other preloads, the exit status, and what it refuses.
# shellcheck disable=SC2086,SC2016
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

program=$bin/collectives_c

# refuse SENTENCE COMMAND...: status 2 and the sentence.
refuse() {
  local sentence=$1 status=0 output
  shift
  output=$("$@" 2>&1 >/dev/null) || status=$?
  if ((status != 2)) || [[ $output != "shunt: $sentence" ]]; then
    fail "$*: status $status and: $output"
  fi
}

# ends_with STATUS COMMAND...
ends_with() {
  local wanted=$1 status=0
  shift
  "$@" >/dev/null 2>&1 || status=$?
  ((status == wanted)) || fail "$*: status $status, not $wanted"
}

# The status of the program, with a launcher and without, is that of the command.
ends_with 0 "$SHUNT" run -- $SHUNT_MPIRUN -n 2 "$program"
ends_with 5 "$SHUNT" run -- $SHUNT_MPIRUN -n 2 "$program" 5
ends_with 5 "$SHUNT" run --stats "$stats" "$program" 5
expect_calls MPI_Alltoallv 3

# The file is where it was named, wherever the ranks are.
mkdir "$work/elsewhere"
if [[ $SHUNT_MPI == mpich ]]; then folder=-wdir; else folder=-wd; fi
(cd "$work" &&
  "$SHUNT" run --stats here.json -- $SHUNT_MPIRUN $folder "$work/elsewhere" -n 2 "$program") >/dev/null
[[ -s $work/here.json && ! -e $work/elsewhere/here.json ]] || fail 'the statistics are elsewhere'

# Several programs at once, the second of which has a preload of its own.
other=$(ldd "$program" | awk '/libc\.so/ { print $3 }')
if [[ $SHUNT_MPI == openmpi ]]; then own="-x LD_PRELOAD=$other"; else own=; fi
rm -f "$stats"
# Open MPI 5.0's launcher crashes by itself where it is given two programs.
if ! $SHUNT_MPIRUN --version | grep -q 'Open MPI) 5'; then
  "$SHUNT" run --stats "$stats" --algorithm a2 -- $SHUNT_MPIRUN -n 2 "$program" : $own -n 2 \
    "$program" >/dev/null
  expect_calls MPI_Alltoallv 12
  grep -q '"algorithm": "a2"' "$stats" || fail 'the algorithm is not handed on'
fi

# What is preloaded already stays, and comes first.
preload=$(LD_PRELOAD=$other "$SHUNT" run --mpi "$SHUNT_MPI" sh -c 'echo "$LD_PRELOAD"')
[[ $preload == "$other:$(readlink -f "$library")" ]] || fail "LD_PRELOAD is $preload"

# srun hands the environment on. A program in its place shows it.
printf '#!/bin/sh\nprintf "%%s " "$LD_PRELOAD" "$SHUNT_MODE" "$@"' >"$work/srun"
chmod +x "$work/srun"
[[ $("$SHUNT" run --mode single -- "$work/srun" -n 2 "$program") == \
  "$(readlink -f "$library") single -n 2 $program " ]] || fail 'srun has not what it needs'

# Another folder for the library; the command's own is found without.
mkdir -p "$work/libraries/$SHUNT_MPI"
cp "$library" "$work/libraries/$SHUNT_MPI"
preload=$(SHUNT_LIBRARY_PATH=/nowhere:$work/libraries "$SHUNT" run --mpi "$SHUNT_MPI" \
  sh -c 'echo "$LD_PRELOAD"')
[[ $preload == "$work/libraries/$SHUNT_MPI/libshunt_mpi.so" ]] || fail "LD_PRELOAD is $preload"

# As installed: the command and the library lie in other folders, side by side.
mkdir -p "$work/installed/bin" "$work/installed/lib/shunt"
cp "$SHUNT" "$work/installed/bin"
cp -r "$work/libraries/$SHUNT_MPI" "$work/installed/lib/shunt"
preload=$("$work/installed/bin/shunt" run "$program" 2>&1 >/dev/null) || fail "installed: $preload"
rm -r "$work/installed/lib"
refuse "there is no library for $SHUNT_MPI: build Shunt with that MPI, and set SHUNT_LIBRARY_PATH to \
the folder that has $SHUNT_MPI/libshunt_mpi.so" "$work/installed/bin/shunt" run "$program"

printf '#!/bin/sh\necho "an MPI of my own"' >"$work/mpirun"
chmod +x "$work/mpirun"
refuse "$work/mpirun is neither Open MPI's nor MPICH's: \`$work/mpirun --version\` names none of them" \
  "$SHUNT" run -- "$work/mpirun" "$program"
refuse 'cannot start mpirun.none: No such file or directory' "$SHUNT" run mpirun.none -n 2 "$program"
refuse 'there is nothing to run; say, for example, shunt run -- mpirun -n 4 ./program' "$SHUNT" run --
refuse 'nothing in "true" is a program linked to Open MPI or MPICH; say which of them is meant by --mpi' \
  "$SHUNT" run true
refuse 'there is no algorithm "a9"; `shunt algorithms` lists them' \
  "$SHUNT" run --algorithm a9 "$program"
