#!/usr/bin/env bash
# Programs that leave calls, MPI and their processes in unusual ways: they end as they do without
# Shunt, whoever makes their exchanges.
# shellcheck disable=SC2086
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

# ends_well RANKS SETTING LEVEL CASE...: the cases of one program, which waits for nothing for ever.
ends_well() {
  local ranks=$1 setting=$2
  shift 2
  timeout 120 "$SHUNT" run $setting -- $SHUNT_MPIRUN -n "$ranks" "$bin/odd_program" "$@" \
    >"$work/output" 2>&1 || fail "$* on $ranks ranks ($setting) fails: $(cat "$work/output")"
}

shunt='--algorithm two-stage --allgather ring'
recorded="--stats $stats --trace $work/traces"

# Exchanges of delete callbacks in MPI_Finalize.
ends_well 3 '' single hook_before hook_after
ends_well 3 "$recorded" single hook_before hook_after
ends_well 3 '' single hook_alone
ends_well 2 "$shunt" single hook_uneven

# Error handlers that do not return, or exchange.
for setting in '' "$shunt" '--algorithm native --allgather native' "$recorded"; do
  ends_well 3 "$setting" single jump throw exchange_in_handler
done

# Threads that are told to end in a call, or end in a handler, which leaves MPICH locked.
threaded=(cancel_in_call)
if [[ $SHUNT_MPI == openmpi ]]; then threaded+=(end_thread_in_handler); fi
ends_well 2 "$shunt" multiple "${threaded[@]}"

# Signals, children, limits.
ends_well 2 "$shunt" single signals_often children short_files

# Other worlds. MPICH of Debian starts none, and Open MPI 4.1 has no sessions.
if [[ $SHUNT_MPI == openmpi ]]; then
  ends_well 2 "--stats $stats" single connect spawn
  grep -q '"not set up": ' "$stats" || fail 'no call with what was spawned is left to MPI'
else
  ends_well 2 "--verbose --stats $stats" single session
  grep -q '^shunt: nobody has called MPI_Init: ' "$work/output" || fail 'no word of the session'
  # MPI for a program's own use, as in Python.
  [[ $(timeout 60 $SHUNT_MPIRUN -n 3 "$bin/local_mpi") == 'local_mpi: 2' ]] ||
    fail 'MPI that is loaded for one program alone fails'
fi
