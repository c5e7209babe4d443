#!/usr/bin/env bash
# scripts/packages.sh demo|check
#
# Installs the Debian packages that ./demo or ./check needs and that are not there yet, after
# printing their names. Does nothing, and needs no rights, where nothing is missing.
set -euo pipefail
# shellcheck source=scripts/toolchain.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/toolchain.sh"

clang=$(clang_version)
readonly clang

demo_packages=(
  g++                # the compiler
  cmake              # the build
  ninja-build        # what CMake drives
  make               # and what it drives unless told otherwise, as by README's install block
  openmpi-bin        # mpirun.openmpi
  libopenmpi-dev     # the MPI library: headers and compiler wrapper
  libhwloc-dev       # what is inside a node: sockets, caches, cores
  libcli11-dev       # the command line of `shunt`
  libfmt-dev         # text formatting
  nlohmann-json3-dev # profiles and traces as JSON
)

check_packages=(
  "${demo_packages[@]}"
  libgtest-dev    # the test framework
  ccache          # what is the same for several MPI libraries is compiled once
  libxml2-utils   # xmllint: pictures are well-formed
  jq              # what the command prints as JSON
  mpich           # mpirun.mpich
  libmpich-dev    # a second MPI library, of the other family
  libsimgrid-dev  # SMPI: the same sources on simulated machines
  valgrind        # memory errors and leaks
  pkg-config      # what it asks
  dpkg-dev        # the package's dependencies
  file            # which of its files those are
  gfortran        # programs in Fortran, to preload the library into
  libfftw3-dev    # programs of others, likewise: FFTW,
  libfftw3-mpi-dev
  libelpa-dev     # ELPA, which stands on ScaLAPACK,
  libscalapack-openmpi-dev
  libscalapack-mpich-dev
  hpcc            # and the HPC Challenge
  iproute2        # several hosts on one machine: their network
  mount           # and what they mount
  "clang-$clang"  # a second compiler, with other warnings, and its sanitizers
  "libclang-rt-$clang-dev"
  "clang-format-$clang" # the layout of the sources
  "clang-tidy-$clang"   # lint
)

fail() {
  echo "packages: $*" >&2
  exit 1
}

is_installed() {
  [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

missing_of() {
  local package
  for package in "$@"; do
    is_installed "$package" || echo "$package"
  done
}

install_missing() {
  local missing=("$@") as_root=()
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null ||
      fail "not root and there is no sudo; as root, run: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  echo "packages: installing ${missing[*]}"
  # `env`, because sudo drops the caller's environment. Locks of a running apt are waited for.
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq)
  "${as_root[@]}" update || fail "apt-get update failed"
  "${as_root[@]}" install --yes --no-install-recommends "${missing[@]}" ||
    fail "apt-get could not install ${missing[*]}"
}

main() {
  local wanted missing
  case "${1-}" in
    demo) wanted=("${demo_packages[@]}") ;;
    check) wanted=("${check_packages[@]}") ;;
    *) fail "say for what: packages.sh demo|check" ;;
  esac
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    fail "this is no Debian-like system (there is no apt-get); what is needed is, by its Debian" \
      "names: ${wanted[*]}"
  fi
  mapfile -t missing < <(missing_of "${wanted[@]}")
  if [[ ${#missing[@]} -gt 0 ]]; then
    install_missing "${missing[@]}"
  fi
}

main "$@"
