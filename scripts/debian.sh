#!/usr/bin/env bash
# scripts/debian.sh [--bare] SUITE [COMMAND...]
#
# Runs ./check, or the command, on the Debian SUITE (bookworm, trixie), whatever this machine has: in
# a root of its own that debootstrap makes, on a clone of the last commit. The root, what is
# installed there and what was compiled there are kept for the next run. Must be run by root. Ends
# with the command's status, and leaves no process and no mount behind.
#
#   --bare               in a new root, in which nothing is installed but git
#   SHUNT_DEBIAN_ROOTS   the folder of the roots; by default /var/tmp/shunt-debian
#   SHUNT_DEBIAN_MIRROR  where their packages come from
set -euo pipefail
cd "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")"

readonly roots=${SHUNT_DEBIAN_ROOTS:-/var/tmp/shunt-debian}
readonly mirror=${SHUNT_DEBIAN_MIRROR:-http://deb.debian.org/debian}

fail() {
  echo "debian: $*" >&2
  exit 1
}

make_root() {
  if ! command -v debootstrap >/dev/null; then
    echo "debian: installing debootstrap"
    apt-get -qq update && apt-get -qq install --yes --no-install-recommends debootstrap
  fi
  echo "debian: making $root"
  rm -rf "$root"
  mkdir -p "$roots/packages"
  debootstrap --cache-dir="$roots/packages" --variant=minbase --include=ca-certificates,git \
    "$suite" "$root" "$mirror" >/dev/null || fail "debootstrap failed; $root/debootstrap/debootstrap.log says why"
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
  local kind=''
  if [[ ${1-} == --bare ]]; then
    kind=-bare
    shift
  fi
  [[ $# -gt 0 ]] || fail "say which Debian: debian.sh [--bare] SUITE [COMMAND...]"
  readonly suite=$1 root=$roots/$1$kind
  shift
  [[ $# -gt 0 ]] || set -- ./check
  if [[ -n $kind ]]; then rm -rf "$root"; fi
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
