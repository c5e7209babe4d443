#!/usr/bin/env bash
# scripts/debian13.sh [COMMAND...]
#
# Runs ./check, or the command, on Debian 13, whatever this machine has: in a root of its own that
# debootstrap makes, on a clone of the last commit. The root, what is installed there and what was
# compiled there are kept for the next run. Must be run by root. Ends with the command's status, and
# leaves no process and no mount behind.
#
#   SHUNT_DEBIAN13       the folder of the root; by default /var/tmp/shunt-debian13
#   SHUNT_DEBIAN_MIRROR  where its packages come from
set -euo pipefail
cd "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")"

readonly root=${SHUNT_DEBIAN13:-/var/tmp/shunt-debian13}
readonly mirror=${SHUNT_DEBIAN_MIRROR:-http://deb.debian.org/debian}

fail() {
  echo "debian13: $*" >&2
  exit 1
}

make_root() {
  if ! command -v debootstrap >/dev/null; then
    echo "debian13: installing debootstrap"
    apt-get -qq update && apt-get -qq install --yes --no-install-recommends debootstrap
  fi
  echo "debian13: making $root"
  rm -rf "$root"
  debootstrap --variant=minbase --include=ca-certificates,git trixie "$root" "$mirror" \
    >/dev/null || fail "debootstrap failed; $root/debootstrap/debootstrap.log says why"
  touch "$root/.complete"
}

# What ccache holds depends on the sources alone, so it serves every clone.
clone() {
  rm -rf "$root/ccache"
  if [[ -d $root/shunt/build/ccache ]]; then mv "$root/shunt/build/ccache" "$root/ccache"; fi
  rm -rf "$root/shunt"
  git clone --quiet --no-hardlinks . "$root/shunt"
  mkdir "$root/shunt/build"
  if [[ -d $root/ccache ]]; then mv "$root/ccache" "$root/shunt/build/ccache"; fi
}

# In the root, as the first process there: with its end all others end, and all mounts go.
inside() {
  mount --make-rprivate /
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/dev/shm"
  mount -t tmpfs tmpfs "$root/tmp"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  exec chroot "$root" env -i "TERM=${TERM:-dumb}" HOME=/root \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    bash -c 'cd /shunt && "$@"' bash "$@"
}

main() {
  [[ $EUID -eq 0 ]] || fail "only root can make a Debian's root; run it by sudo"
  [[ $# -gt 0 ]] || set -- ./check
  [[ -e $root/.complete ]] || make_root
  clone
  export root
  export -f inside
  # unshare pays no attention to signals, and the first process in the root is deaf to most.
  unshare --mount --pid --fork --kill-child bash -euc 'inside "$@"' bash "$@" &
  local -r inside=$!
  trap 'kill -KILL "$inside"; exit 130' INT
  trap 'kill -KILL "$inside"; exit 143' TERM
  wait "$inside"
}

main "$@"
