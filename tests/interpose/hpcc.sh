#!/usr/bin/env bash
# The HPC Challenge, small: its own verdicts with Shunt, and the results that are no times.
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

cat >"$work/hpccinf.txt" <<'INPUT'
HPLinpack benchmark input file
The lines are known by their numbers
HPL.out      output file name
8            device out
1            number of problem sizes
100          Ns
1            number of NBs
20           NBs
0            process mapping
1            number of process grids
2            Ps
2            Qs
16.0         threshold
1            number of panel facts
2            PFACTs
1            number of recursive stopping criteria
4            NBMINs
1            number of panels in recursion
2            NDIVs
1            number of recursive panel facts
1            RFACTs
1            number of broadcasts
1            BCASTs
1            number of lookahead depths
1            DEPTHs
2            SWAP
64           swapping threshold
0            L1
0            U
1            equilibration
8            memory alignment
             (a separator)
0            additional problem sizes of PTRANS
1200         values of N
0            additional blocking sizes of PTRANS
40           values of NB
INPUT
cd "$work"

# results WHERE: runs it; what does not depend on the machine's speed. Random updates end early where
# they take long.
results() {
  local output=hpccoutf.txt
  rm -f "$output"
  "${@:2}" >"$1.log" 2>&1 || fail "hpcc fails ($1): $(cat "$1.log")"
  grep -E '^(Success|CommWorldProcs|HPL_(N|NB|RnormI|Anorm1|AnormI|Xnorm1|XnormI|BnormI)|PTRANS_(residual|n|nb)|MPIRandomAccess(_LCG)?_(N|Errors)|MPIFFT_(N|maxErr|Procs)|FFT_N)=' \
    "$output" >"$1" || fail "hpcc says nothing ($1)"
  grep -q '^Success=1$' "$output" || fail "hpcc finds no success ($1)"
  ! grep -E 'FAILED|\(failed\)|[1-9][0-9]* tests? completed and failed' "$output" ||
    fail "hpcc finds faults ($1)"
}

command -v hpcc >/dev/null || fail 'there is no hpcc; scripts/packages.sh check installs it'
# shellcheck disable=SC2086
results without $SHUNT_MPIRUN -n 4 hpcc
# shellcheck disable=SC2086
results with "$SHUNT" run --stats "$stats" -- $SHUNT_MPIRUN -n 4 hpcc
diff -u without with || fail 'hpcc finds other results with Shunt'
(($(wc -l <with) == 21)) || fail "hpcc has not all the results: $(cat with)"
# Its transform transposes thrice, and checks itself by another one.
read -r calls native < <(counted MPI_Alltoall)
((calls >= 12 && native == 0)) || fail "$calls calls, $native of them native: $(cat "$stats")"
