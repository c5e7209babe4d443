#!/usr/bin/env bash
# calibrate.sh SHUNT MPI: over a slow network `shunt calibrate` leaves out the blocks that would take
# it too long, and the profile is whole without them.
set -euo pipefail
cluster=$(dirname "${BASH_SOURCE[0]}")/cluster
readonly cluster shunt=$1 mpi=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

profile=$folder/profile.json
"$cluster" --hosts 1,1 --rate 20mbit --mpi "$mpi" -- "$shunt" calibrate --seconds 2 \
  -o "$profile" >"$folder/output" || exit
longest=$(grep -A 99 '"alltoallv"' "$profile" | grep -o '"bytes": [0-9]*' | tail -n 1)
# Of two ranks that share memory the longest are of 262144.
((${longest##* } >= 64 && ${longest##* } < 262144)) || {
  echo "at 20 Mbit/s blocks of ${longest##* } bytes:" "$(cat "$folder/output")"
  exit 1
}

"$cluster" --hosts 1,1 --mpi "$mpi" -- env SHUNT_PROFILE="$profile" "$shunt" predict \
  --maximum 1048576 --rounds 1 >"$folder/output" || exit
grep -qF "profile $profile" "$folder/output" || {
  echo "the profile is not taken:" "$(cat "$folder/output")"
  exit 1
}
