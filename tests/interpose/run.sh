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
if ! $SHUNT_MPIRUN --version | grep 'Open MPI) 5' >/dev/null; then
  "$SHUNT" run --stats "$stats" --algorithm two-stage -- $SHUNT_MPIRUN -n 2 "$program" : $own -n 2 \
    "$program" >/dev/null
  expect_calls MPI_Alltoallv 12
  grep -q '"algorithm": "two-stage"' "$stats" || fail 'the algorithm is not handed on'
fi

# What is preloaded already stays, and comes first.
preload=$(LD_PRELOAD=$other "$SHUNT" run --mpi "$SHUNT_MPI" sh -c 'echo "$LD_PRELOAD"')
[[ $preload == "$other:$(readlink -f "$library")" ]] || fail "LD_PRELOAD is $preload"

# Behind `env` with what it sets, and what it sets in front of what is preloaded.
rm -f "$stats"
ends_with 0 "$SHUNT" run --stats "$stats" -- env A=1 $SHUNT_MPIRUN -n 2 "$program"
expect_calls MPI_Alltoallv 6
rm -f "$stats"
ends_with 0 env SHUNT_DISABLE=1 "$SHUNT" run --stats "$stats" -- \
  /usr/bin/env -u SHUNT_DISABLE SHUNT_ALGORITHM=a2 B= -- "$program"
expect_calls MPI_Alltoallv 3
grep -q '"algorithm": "two-stage"' "$stats" || fail 'what env sets is not handed on'
[[ $("$SHUNT" run --mpi "$SHUNT_MPI" -- env LD_PRELOAD=$other A='b c' sh -c 'echo "$LD_PRELOAD $A"') == \
  "$other:$(readlink -f "$library") b c" ]] || fail 'what env preloads does not stay in front'

# A program may be called as a subcommand is, and have a mark among its arguments.
for name in run bench trace algorithms; do
  cp "$program" "$work/$name"
  rm -f "$stats"
  (
    PATH=$work:$PATH
    ends_with 5 "$SHUNT" run --stats "$stats" -- $name 5
    ends_with 5 "$SHUNT" run --check $name 5
    ends_with 5 "$SHUNT" run --stats "$stats" -- $SHUNT_MPIRUN -n 2 $name 5
  ) || fail "a program called $name"
  expect_calls MPI_Alltoallv 6
done
for mark in '' --; do
  [[ $("$SHUNT" run --mpi "$SHUNT_MPI" $mark sh -c 'echo "$*"' -- 1 -- --check) == '1 -- --check' ]] ||
    fail 'a program has not all its arguments'
done

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
# LD_PRELOAD cannot name a library with a blank or a colon in its path, but a link to it.
for name in 'with blank' with:colon 'with blank:colon'; do
  cp -r "$work/installed" "$work/$name"
  refuse "LD_PRELOAD cannot name $work/$name/lib/shunt/$SHUNT_MPI/libshunt_mpi.so, for a blank or a \
colon ends a name there; set SHUNT_LIBRARY_PATH to a link to $work/$name/lib/shunt that has neither" \
    "$work/$name/bin/shunt" run -- $SHUNT_MPIRUN -n 2 "$program"
  ln -sfn "$work/$name/lib/shunt" "$work/link"
  rm -f "$stats"
  SHUNT_LIBRARY_PATH=$work/link ends_with 0 "$work/$name/bin/shunt" run --stats "$stats" -- \
    $SHUNT_MPIRUN -n 2 "$program"
  expect_calls MPI_Alltoallv 6
done

rm -r "$work/installed/lib"
refuse "there is no library for $SHUNT_MPI: build Shunt with that MPI, and set SHUNT_LIBRARY_PATH to \
the folder that has $SHUNT_MPI/libshunt_mpi.so" "$work/installed/bin/shunt" run "$program"

printf '#!/bin/sh\necho "an MPI of my own"' >"$work/mpirun"
chmod +x "$work/mpirun"
refuse "$work/mpirun is neither Open MPI's nor MPICH's: \`$work/mpirun --version\` names none of them" \
  "$SHUNT" run -- "$work/mpirun" "$program"
refuse "the command begins with env -i; of env's options it may have -u NAME alone, and then NAME=VALUE" \
  "$SHUNT" run -- env -i "$program"
refuse 'there is nothing to run; say, for example, shunt run -- mpirun -n 4 ./program' \
  "$SHUNT" run -- env A=1
refuse 'cannot start mpirun.none: No such file or directory' "$SHUNT" run mpirun.none -n 2 "$program"
refuse 'there is nothing to run; say, for example, shunt run -- mpirun -n 4 ./program' "$SHUNT" run --
refuse 'nothing in "true" is a program linked to Open MPI or MPICH; say which of them is meant by --mpi' \
  "$SHUNT" run true
refuse 'there is no algorithm "a9"; `shunt algorithms` lists them' \
  "$SHUNT" run --algorithm a9 "$program"
