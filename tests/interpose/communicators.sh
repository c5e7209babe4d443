#!/usr/bin/env bash
# What Shunt keeps for a program's communicators is in nobody's way: attributes, numbers of
# communicators, the first calls; and where a program errs it ends as without Shunt.
# shellcheck disable=SC2086
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

program=$bin/communicators

# MPICH 4.2 ends a program by itself, whatever its handler, where a message is longer than its
# receiver expects; and its launcher may say by its status that all went well.
ending='^the error handler ends the program'
right=0
if $SHUNT_MPIRUN --version | grep -E 'Version: +4\.2' >/dev/null; then
  ending+='|Message truncated, error stack'
  right=none
fi

# ends RANKS TASK...: the error handler of some rank ends the program. Open MPI 4.1's launcher may
# hang after that, with Shunt and without.
ends() {
  local ranks=$1 status=0
  shift
  timeout --kill-after 5 100 "$SHUNT" run -- $SHUNT_MPIRUN -n "$ranks" "$program" "$@" \
    >"$work/output" 2>&1 || status=$?
  if [[ $status == "$right" ]] || ! grep -qE "$ending" "$work/output"; then
    fail "$* on $ranks ranks: status $status and: $(cat "$work/output")"
  fi
}

# says RANKS LINE TASK [SETTING]: each rank says so, with Shunt.
says() {
  local ranks=$1 line=$2 task=$3 setting=${4-SHUNT_WARM_UP=0}
  env "$setting" "$SHUNT" run -- $SHUNT_MPIRUN -n "$ranks" "$program" "$task" >"$work/output" 2>&1 ||
    fail "$task fails: $(cat "$work/output")"
  [[ $(grep -cxF "$line" "$work/output") == "$ranks" ]] ||
    fail "$task on $ranks ranks ($setting): not '$line' but: $(cat "$work/output")"
}

for setting in SHUNT_WARM_UP=0 SHUNT_WARM_UP=1000000 SHUNT_ALGORITHM=four-stage; do
  says 2 'right 1 copied 0 deleted 0' attributes "$setting"
  says 2 'copied 1 deleted 0' attributes "$setting"
  says 2 'copied 1 deleted 3' attributes "$setting"
done
says 3 '1500 communicators, right 1' many
says 5 'right 1' orders

# The default: MPI's own functions make the first calls, but for those that are known to fail.
for ranks in 1 3; do
  says "$ranks" 'errors 0 wrong 0' faults SHUNT_WARM_UP=5
  says "$ranks" 'errors 0 wrong 0' faults SHUNT_WARM_UP=0
done
says 3 'wrong 0' sizes SHUNT_WARM_UP=5
says 16 'wrong 0' gaps SHUNT_WARM_UP=5

# A communicator's first calls are MPI's own, and are counted.
rm -f "$stats"
SHUNT_WARM_UP=1000000 "$SHUNT" run --stats "$stats" -- $SHUNT_MPIRUN -n 2 "$bin/collectives_c" >/dev/null
grep -q '"first calls"' "$stats" || fail "no first calls in: $(cat "$stats")"
[[ $(grep -c '"algorithm": "auto"' "$stats") == 1 ]] ||
  fail "Shunt made one of the calls in: $(cat "$stats")"
if SHUNT_WARM_UP=soon "$SHUNT" run -- $SHUNT_MPIRUN -n 1 "$bin/collectives_c" >"$work/output" 2>&1; then
  fail 'SHUNT_WARM_UP may be anything'
fi
grep -qF 'SHUNT_WARM_UP is "soon"; it is a number of milliseconds, or 0' "$work/output" ||
  fail "no word of SHUNT_WARM_UP in: $(cat "$work/output")"

# Communicators and types that come and go, by two threads, while signals come.
SHUNT_WARM_UP=1 "$SHUNT" run -- $SHUNT_MPIRUN -n 3 "$bin/churn" 1 2 >"$work/output" 2>&1 ||
  fail "churn fails: $(cat "$work/output")"
[[ $(grep -c ' 0 wrong bytes, ' "$work/output") == 3 ]] || fail "churn says: $(cat "$work/output")"

# After one right call, or after so many that MPI's own function or another way was chosen.
ends 2 lengths 1
ends 3 lengths 300

# What is wrong on one rank is its own error; the others, and later calls, are right.
says 4 'right 1' own
SHUNT_ALLGATHER=recursive-halving says 4 'right 1' own SHUNT_ALGORITHM=linear
