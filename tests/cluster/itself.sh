#!/usr/bin/env bash
# itself.sh PROBE MPI: the cluster has the hosts, and links as fast, as were asked for; and however
# it ends, nothing of it is left.
set -euo pipefail
cluster=$(dirname "${BASH_SOURCE[0]}")/cluster
readonly cluster probe=$1 mpi=$2
# By this the processes of this test's clusters are found.
export CLUSTER_TEST=$$-$RANDOM

fail() {
  echo "$*"
  exit 1
}

# processes [PROGRAM]: the numbers of all inside, or of those that run the program.
processes() {
  local file process program
  grep -lszxF "CLUSTER_TEST=$CLUSTER_TEST" /proc/[0-9]*/environ | while read -r file; do
    process=${file//[^0-9]/}
    program=$(cat "/proc/$process/comm" 2>/dev/null) || continue
    # The grep above is marked too.
    if [[ $program == "${1:-$program}" && $program != grep ]]; then echo "$process"; fi
  done || true
}

# What would be seen of a cluster outside, sorted.
traces() {
  {
    ip -oneline link | cut -d : -f 2
    cut -d ' ' -f 5 /proc/self/mountinfo | grep -xE '/proc(/sys/.*)?|/sys|/dev/shm'
    find /dev/shm "${TMPDIR:-/tmp}" -maxdepth 1 -name '*host[0-9]*'
  } | sort
}

# expect_hosts OUTPUT RANKS...: on each host in turn.
expect_hosts() {
  local output=$1 expected="" number=0 ranks
  shift
  for ranks in "$@"; do
    expected+="host$((++number)): $ranks ranks"$'\n'
  done
  [[ $(grep '^host' <<<"$output")$'\n' == "$expected" ]] || fail "the hosts are: $output"
}

# At that rate 1 MiB takes 42 ms, less what is let through at once.
try_hosts() {
  local output
  output=$("$cluster" --hosts 4,4,2,1 --rate 200mbit --mpi "$mpi" -- "$probe") || exit
  expect_hosts "$output" 4 4 2 1
  [[ $output =~ '1 MiB: '([0-9]+)' ms' ]] || fail "no time in: $output"
  ((BASH_REMATCH[1] >= 30)) || fail "1 MiB took ${BASH_REMATCH[1]} ms at 200 Mbit/s"
}

# Four times 1 MiB one way, and headers, which are more than a thirtieth of it, but not a tenth.
try_count() {
  local words link
  local -r payload=$((4 << 20))
  words=$("$cluster" --hosts 1,1 --rate 200mbit --count --mpi "$mpi" -- "$probe" 2>&1 >/dev/null)
  for link in 'host1: ([0-9]+) bytes out, [0-9]+ bytes in' \
    'host2: [0-9]+ bytes out, ([0-9]+) bytes in'; do
    [[ $words =~ $link ]] || fail "no link like $link in: $words"
    ((30 * BASH_REMATCH[1] > 31 * payload && 10 * BASH_REMATCH[1] < 11 * payload)) ||
      fail "the bytes of $link: $words"
  done
}

# Two at once, which know nothing of each other.
try_two() {
  local other
  exec {other}< <("$cluster" --hosts 1,2 --mpi "$mpi" -- "$probe")
  expect_hosts "$("$cluster" --hosts 2,1 --mpi "$mpi" -- "$probe")" 2 1
  expect_hosts "$(cat <&"$other")" 1 2
}

# try_end SIGNAL STATUS [PROGRAM]: the signal, to `cluster` or the program inside, ends everything.
try_end() {
  local signal=$1 expected=$2 program=${3-} status=0 target
  # What runs in the background ignores some signals otherwise.
  env --default-signal "$cluster" --hosts 1,1 --mpi "$mpi" -- sleep infinity >/dev/null 2>&1 &
  target=$!
  until [[ $(processes sleep | wc -l) -ge 4 ]]; do sleep 0.1; done
  if [[ -n $program ]]; then
    kill "-$signal" "$(processes "$program" | head -n 1)"
  else
    kill "-$signal" "$target"
  fi
  wait "$target" 2>/dev/null || status=$?
  ((status == expected)) || fail "$signal to ${program:-the cluster}: status $status"
  # Only the system is left to end what is inside where `cluster` itself was killed.
  while [[ $signal == KILL && -n $(processes) ]]; do sleep 0.1; done
  [[ -z $(processes) ]] || fail "$signal to ${program:-the cluster}: left $(processes)"
}

try_wrong_use() {
  local status=0 words
  words=$("$cluster" "${@:2}" 2>&1) || status=$?
  if ((status != 2)) || [[ ${words%%$'\n'*} != "cluster: $1" ]]; then
    fail "cluster ${*:2}: status $status and $words"
  fi
}

main() {
  local before left launcher status=0
  try_wrong_use '--hosts is "4,0"; it is the number of ranks on each host, as 4,4,2,1' \
    --hosts 4,0 -- true
  try_wrong_use '--rate is "fast"; it is a number with kbit, mbit or gbit, as 200mbit' \
    --hosts 1 --rate fast -- true
  try_wrong_use '--mpi is "lam"; it is openmpi or mpich' --hosts 1 --mpi lam -- true
  try_wrong_use '--count needs --rate: it counts what is limited' --hosts 1 --count -- true
  try_wrong_use 'a command is required' --hosts 1 --
  before=$(traces)
  try_hosts
  try_count
  try_two
  "$cluster" --hosts 1,1 --mpi "$mpi" -- false >/dev/null 2>&1 || status=$?
  ((status == 1)) || fail "a program that fails: status $status"
  try_end INT 130
  try_end TERM 143
  try_end KILL 137
  # Open MPI 5.0's launcher is PRRTE's.
  launcher=mpirun.$mpi
  if "$launcher" --version | grep 'Open MPI) 5' >/dev/null; then launcher=prterun; fi
  try_end KILL 137 "$launcher"
  # Others may have taken theirs away meanwhile.
  left=$(comm -13 <(echo "$before") <(traces))
  [[ -z $left ]] || fail "left behind: $left"
}

main
