#!/usr/bin/env bash
# A program in C: every collective, on all kinds of communicators, in all settings.
# shellcheck disable=SC2086
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

program=$bin/collectives_c

# What the program calls: 3 times and in place on all ranks, 3 times on a half of them, on the
# intercommunicator of the halves, and wrongly on one rank alone and on no communicator.
expect_all_calls() {
  local ranks=$1
  expect_calls MPI_Alltoall $((10 * ranks)) $((2 * ranks))
  expect_calls MPI_Alltoallv $((3 * ranks))
  expect_calls MPI_Alltoallw $((2 * ranks))
  expect_calls MPI_Allgather $((2 * ranks))
  expect_calls MPI_Allgatherv "$ranks"
  expect_calls MPI_Gatherv $((ranks * ranks))
  expect_calls MPI_Scatterv $((ranks * ranks))
  if [[ $SHUNT_MPI == mpich ]]; then
    for function in MPI_Alltoall_c MPI_Alltoallv_c MPI_Alltoallw_c MPI_Allgather_c \
      MPI_Allgatherv_c MPI_Gatherv_c MPI_Scatterv_c; do
      expect_calls "$function" "$ranks"
    done
  fi
}

for ranks in 2 5; do
  compare "$ranks" "$program"
  expect_all_calls "$ranks"
  grep -q '"intercommunicator": '"$ranks" "$stats" || fail "no call is native for its communicator"
  grep -q '"no communicator": '"$ranks" "$stats" || fail "no call is native without communicator"
done

for option in '--algorithm four-stage' '--algorithm native' '--mode blocking' --check; do
  compare 4 "$program" $option
  expect_all_calls 4
done

# Where nobody wants to know of them, MPI's own calls pass by.
for option in '--algorithm native' '--algorithm auto'; do
  "$SHUNT" run $option -- $SHUNT_MPIRUN -n 4 "$program" >"$work/with" ||
    fail "without statistics the program fails ($option)"
  diff -u "$work/collectives_c.4" "$work/with" ||
    fail "without statistics the program says something else ($option)"
done

# All by MPI itself. The sites are the same ones.
compare 4 "$program" --disable
expect_calls MPI_Alltoall 40 40
expect_calls MPI_Alltoallv 12 12
expect_calls MPI_Alltoallw 8 8
expect_calls MPI_Allgather 8 8
expect_calls MPI_Allgatherv 4 4
expect_calls MPI_Gatherv 16 16
expect_calls MPI_Scatterv 16 16
[[ $(grep -c '"SHUNT_DISABLE": ' "$stats") -ge 9 ]] || fail 'the reason is not SHUNT_DISABLE'
grep -q '"algorithm": null' "$stats" || fail 'a native call has an algorithm'

# The bytes of a call of MPI_Alltoall by 4 ranks: 4 blocks each of 40 ints of 4 bytes. In two of the
# calls' communicators there are only half of the blocks.
compare 4 "$program"
bytes=$((4 * 4 * 40 * 4))
[[ $(total MPI_Alltoall bytes_sent) == $((3 * bytes + bytes + 3 * bytes / 2 + bytes / 2)) ]] ||
  fail "the bytes are not those that were sent: $(cat "$stats")"
[[ $(total MPI_Alltoall bytes_received) == $(total MPI_Alltoall bytes_sent) ]] ||
  fail 'not as many bytes are received as sent'
[[ $(total MPI_Alltoall failed) == 8 ]] || fail 'the failed calls are not counted'
grep -q '"module": ".*/collectives_c"' "$stats" || fail 'the program is not named'

# A file that cannot be written is no fault of the program.
output=$(SHUNT_STATS=$work/none/stats.json "$SHUNT" run -- $SHUNT_MPIRUN -n 2 "$program" 2>&1) ||
  fail 'the program fails for its statistics'
grep -qF "shunt: SHUNT_STATS: cannot write $work/none/stats.json: No such file or directory" \
  <<<"$output" || fail "no word of the file in: $output"

# Two lines, from rank 0 alone.
output=$(SHUNT_LEARN=0 "$SHUNT" run --verbose -- $SHUNT_MPIRUN -n 3 "$program" 2>&1 >/dev/null)
[[ $(grep -c '^shunt: ' <<<"$output") == 2 ]] || fail "not two lines: $output"
grep -qE '^shunt: version [0-9.]+, (Open MPI|MPICH).*[0-9.]+; algorithm auto, mode dual$' \
  <<<"$output" || fail "the first line: $output"
grep -qE '^shunt: [0-9]+ calls from [0-9]+ places: [0-9]+ by Shunt, 6 by MPI; ' <<<"$output" ||
  fail "the last line: $output"

# One rank says once which variables there are not, and the program goes on, whoever makes its calls.
for setting in '' --disable '--algorithm two-stage'; do
  output=$(SHUNT_ALGORITM=linear SHUNT_STAT=x "$SHUNT" run $setting -- $SHUNT_MPIRUN -n 3 "$program" 2>&1 \
    >/dev/null) || fail 'the program fails for a variable that there is not'
  # shellcheck disable=SC2016
  [[ $output == 'shunt: SHUNT_ALGORITM is set, but there is no such variable; `shunt env` lists them
shunt: SHUNT_STAT is set, but there is no such variable; `shunt env` lists them' ]] ||
    fail "not two sentences ($setting): $output"
done

# What cannot be meant ends the program with a sentence.
if output=$(SHUNT_DISABLE=perhaps "$SHUNT" run -- $SHUNT_MPIRUN -n 1 "$program" 2>&1); then
  fail 'SHUNT_DISABLE may be anything'
fi
grep -qF 'MPI_Alltoall on rank 0: SHUNT_DISABLE is "perhaps"; it is 0 or 1' <<<"$output" ||
  fail "no word of SHUNT_DISABLE in: $output"

# All of it.
! output=$(SHUNT_MODE=fast SHUNT_LEARN=no "$SHUNT" run -- $SHUNT_MPIRUN -n 1 "$program" 2>&1) ||
  fail 'SHUNT_MODE may be anything'
grep -qF 'SHUNT_MODE is "fast"; it is one of blocking, single and dual; and SHUNT_LEARN is "no"' \
  <<<"$output" || fail "not all that is wrong in: $output"

# Not all ranks have it.
# shellcheck disable=SC2016
! output=$("$SHUNT" run -- $SHUNT_MPIRUN -n 3 bash -c '
  if ((${OMPI_COMM_WORLD_RANK-$PMI_RANK} == 1)); then export SHUNT_MODE=single; fi
  exec "$0"' "$program" 2>&1) || fail 'the ranks may have different modes'
grep -qF ' SHUNT_MODE is not the same on all ranks: here it is ' <<<"$output" ||
  fail "no word of different modes in: $output"
