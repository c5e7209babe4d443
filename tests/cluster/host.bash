#!/usr/bin/env bash
# host.bash NAME: makes the namespaces that it was started in a host of that name, prints its
# process's number, and stays.
set -euo pipefail
# shellcheck source=tests/cluster/refuse.bash
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/refuse.bash"

allowed hostname "$1"
mount_anew tmpfs /dev/shm
# UCX looks there for network interfaces.
mount_anew sysfs /sys
# By this UCX, and others, tell one machine from another.
cat /proc/sys/kernel/random/uuid >/dev/shm/boot_id
allowed mount --bind /dev/shm/boot_id /proc/sys/kernel/random/boot_id
allowed ip link set lo up
echo $$
exec sleep infinity >/dev/null
