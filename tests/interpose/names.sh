#!/usr/bin/env bash
# What ranks are called is no text: a file's name may be no UTF-8, and on one rank alone. The others
# wait for what it has to say, in MPI_Finalize.
# shellcheck disable=SC2086
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

program=$bin/collectives_c
odd=$work/$'\xff\xfe'
cp "$program" "$odd"

$SHUNT_MPIRUN -n 3 "$program" >"$work/without"
for which in "$program $odd $program" "$program $program $odd" "$odd $odd $odd"; do
  # By a script, because Open MPI 5.0's mpirun crashes where it launches several programs.
  # shellcheck disable=SC2016
  timeout 60 "$SHUNT" run --verbose --stats "$stats" -- $SHUNT_MPIRUN -n 3 \
    bash -c 'programs=("$@"); exec "${programs[${OMPI_COMM_WORLD_RANK:-$PMI_RANK}]}"' bash $which \
    >"$work/with" 2>"$work/errors" ||
    fail "the program fails ($which): $(cat "$work/errors")"
  diff -u "$work/without" "$work/with" || fail "the program says something else ($which)"
  expect_calls MPI_Alltoallv 9
  grep -q '^shunt: [0-9]* calls from ' "$work/errors" || fail "no last line: $(cat "$work/errors")"
  grep -q $'"module": ".*/\xef\xbf\xbd\xef\xbf\xbd"' "$stats" || fail "no name in: $(cat "$stats")"
done

# What is UTF-8 is there as it is, with blanks too, and so is what an escape stands for.
named="$work/größe プログラム \"x\""
cp "$program" "$named"
timeout 60 "$SHUNT" run --stats "$stats" --trace "$work/größe" -- $SHUNT_MPIRUN -n 2 "$named" >/dev/null ||
  fail 'the program fails'
grep -qF '"module": "'"$work"'/größe プログラム \"x\""' "$stats" || fail "no name in: $(cat "$stats")"
"$SHUNT" trace "$work/größe" | grep "^$work/größe/comm-0-0.shunt" >/dev/null || fail 'the folder has another name'
mv "$work/größe" "$work/"$'\xff'
"$SHUNT" trace "$work/"$'\xff' --json | grep $'"trace": ".*/\xef\xbf\xbd/comm-0-0.shunt"' >/dev/null ||
  fail 'a folder whose name is no UTF-8'
