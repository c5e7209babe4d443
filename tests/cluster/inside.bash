#!/usr/bin/env bash
# inside.bash HOSTS RATE MPI COUNT COMMAND...: the first process of its own namespace of
# processes. Makes the hosts, and the switch that they hang on, and launches the command there.
set -euo pipefail
folder=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
readonly folder
# shellcheck source=tests/cluster/refuse.bash
source "$folder/refuse.bash"

readonly network=10.77.0

# on PROCESS COMMAND...: on the host that the process is on.
on() {
  local process=$1
  shift
  nsenter --target "$process" --net --uts --ipc --mount --root --wd "$@"
}

# limit INTERFACE RATE [COMMAND PREFIX...]: what leaves by the interface, to that rate.
limit() {
  local interface=$1 rate=$2
  shift 2
  allowed "$@" tc qdisc add dev "$interface" root tbf rate "$rate" burst 64k latency 50ms
}

# make_host NUMBER RATE: a process that keeps the host's namespaces; it says its number, which is
# left in `process`, or why it cannot be.
make_host() {
  local number=$1 rate=$2 ready
  exec {ready}< <(exec unshare --net --uts --ipc --mount --propagation unchanged \
    bash "$folder/host.bash" "host$number" 2>&1)
  read -r process <&"$ready" || true
  [[ $process =~ ^[0-9]+$ ]] || refuse "${process#"$refusal"}"
  exec {ready}<&-
  allowed ip link add "port$number" type veth peer name eth0 netns "$process"
  allowed ip link set "port$number" master switch up
  allowed on "$process" ip address add "$network.$number/24" dev eth0
  allowed on "$process" ip link set eth0 up
  if [[ $rate != none ]]; then
    limit "port$number" "$rate"
    limit eth0 "$rate" on "$process"
  fi
}

# The flags under which Open MPI takes the hosts for a cluster with TCP, and its ranks for more than
# there are cores. Open MPI 5 knows the host that it is launched on by its name alone.
launch_openmpi() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  # A host's own: hosts and processes of another cluster have the same names and numbers, and what a
  # killed program leaves goes with the host.
  export OMPI_MCA_orte_tmpdir_base=/dev/shm PRTE_MCA_prte_tmpdir_base=/dev/shm
  unset OMPI_MCA_btl_vader_backing_directory OMPI_MCA_osc_sm_backing_directory
  on "$first" mpirun.openmpi \
    --mca plm_rsh_agent "$folder/agent.bash" --mca plm_rsh_no_tree_spawn 1 \
    --mca pml ob1 --mca btl self,vader,tcp \
    --mca btl_tcp_if_include "$network.0/24" --mca oob_tcp_if_include "$network.0/24" \
    --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 \
    --host "${slots/$network.1:/host1:}" -n "$ranks" "$@"
}

launch_mpich() {
  export UCX_TLS=self,sm,tcp UCX_NET_DEVICES=eth0
  unset UCX_POSIX_DIR
  on "$first" mpirun.mpich -launcher ssh -launcher-exec "$folder/agent.bash" -iface eth0 \
    -hosts "$slots" -n "$ranks" "$@"
}

# sent_by INTERFACE [COMMAND PREFIX...]: the bytes that its limit has let through.
sent_by() {
  local interface=$1
  shift
  "$@" tc -s qdisc show dev "$interface" | sed -n 's/^ *Sent \([0-9]*\) bytes .*/\1/p'
}

# count_links: what has gone through the links of all hosts.
count_links() {
  local host number=0
  for host in $SHUNT_CLUSTER; do
    ((++number))
    echo "host$number: $(sent_by eth0 on "${host#*=}") bytes out," \
      "$(sent_by "port$number") bytes in"
  done
}

main() {
  local sizes=$1 rate=$2 mpi=$3 count=$4 number process first="" slots="" ranks=0 status=0
  shift 4
  IFS=, read -ra sizes <<<"$sizes"
  mount_anew proc /proc
  allowed ip link set lo up
  allowed ip link add switch type bridge
  allowed ip link set switch up
  # Where agent.bash finds the hosts.
  export SHUNT_CLUSTER=
  for number in $(seq ${#sizes[@]}); do
    make_host "$number" "$rate"
    SHUNT_CLUSTER+="$network.$number=$process "
    first=${first:-$process}
    slots+="${slots:+,}$network.$number:${sizes[number - 1]}"
    ((ranks += sizes[number - 1]))
  done
  "launch_$mpi" "$@" || status=$?
  if [[ $count == yes ]]; then count_links >&2; fi
  return "$status"
}

main "$@"
