#!/usr/bin/env bash
# agent.bash [OPTION...] ADDRESS COMMAND...: what mpirun takes for ssh.
set -euo pipefail

while [[ ${1-} == -* ]]; do shift; done
address=$1
shift
[[ " $SHUNT_CLUSTER" == *" $address="* ]] || {
  echo "agent: there is no host $address" >&2
  exit 1
}
process=${SHUNT_CLUSTER##*"$address="}
# One word or many, they are for a shell to read.
exec nsenter --target "${process%% *}" --net --uts --ipc --mount --root --wd sh -c "$*"
