#!/usr/bin/env bash
# Where two MPIs are mixed up, one sentence says so in the place of a crash: the launcher of one and
# a program of the other, or a library that was built for another MPI than the program's.
# shellcheck disable=SC2086
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

case $SHUNT_MPI in
  openmpi) own_name="Open MPI" other=mpich other_name=MPICH preload="-genv LD_PRELOAD $library" ;;
  *) own_name=MPICH other=openmpi other_name="Open MPI" preload="-x LD_PRELOAD=$library" ;;
esac
if ! command -v "mpicc.$other" >/dev/null; then
  echo "skipped: there is no mpicc.$other"
  exit 77
fi
"mpicc.$other" -o "$work/other" -x c - <<'C'
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  return MPI_Finalize();
}
C

# says SENTENCE STATUS COMMAND...: on one line, once.
says() {
  local sentence=$1 wanted=$2 status=0
  shift 2
  "$@" >"$work/output" 2>&1 || status=$?
  ((status == wanted)) || fail "$*: status $status and: $(cat "$work/output")"
  [[ $(grep -cF "$sentence" "$work/output") == 1 ]] || fail "$*: $(cat "$work/output")"
}

says "is a launcher of $own_name, and $work/other is linked to $other_name" 2 \
  "$SHUNT" run -- $SHUNT_MPIRUN -n 2 "$work/other"
says "was built for $own_name, and the program is linked to" 2 \
  env LD_PRELOAD="$library" "$work/other"

# The launcher of the other one starts as many programs as ranks were wanted.
read -ra flags <<<"$preload"
launch=(env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "mpirun.$other" -n 2
  "${flags[@]}")
says "linked to $own_name, and the launcher is that of $other_name" 0 \
  "${launch[@]}" "$bin/collectives_c"

# Programs without MPI hear nothing.
for launcher in "" "${launch[*]}" "$SHUNT_MPIRUN -n 2"; do
  LD_PRELOAD=$library $launcher true >"$work/output" 2>&1 || fail "true fails by $launcher"
  [[ ! -s $work/output ]] || fail "true says: $(cat "$work/output")"
done
