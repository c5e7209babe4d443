#!/usr/bin/env bash
# scripts/newcomer.sh
#
# Types what README tells somebody to type who has nothing installed, word by word, and uses what that
# has installed, with Open MPI and with MPICH, as projects in C, C++ and Fortran and a Makefile do.
# Installs packages and writes to $HOME/shunt: run it in a root of its own, as by
# `scripts/debian.sh --bare bookworm scripts/newcomer.sh`.
set -euo pipefail
cd "$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")"

step() {
  echo "newcomer: $*"
}

# readme_lines TEXT: the lines of the indented block of README of which one has the text.
readme_lines() {
  awk -v text="$1" '
    /^    / { block = block substr($0, 5) "\n"; found = found || index($0, text); next }
    { if (found) { printf "%s", block; exit } block = ""; found = 0 }' README.md
}

get() {
  DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "$@" >/dev/null
}

# use_tree MPI BUILD: the tree of the build serves projects, also when it has been moved, and another
# MPI is refused.
use_tree() {
  step "projects that use the tree of $2, with $1"
  SHUNT=$PWD/$2/bin/shunt SHUNT_MPI=$1 SHUNT_MPIRUN="mpirun.$1" tests/command/install.sh
}

make_program() {
  cat >"$1.c" <<'PROGRAM'
#include <mpi.h>
int main(int argc, char** argv) {
  int sent[2] = {1, 2}, received[2];
  MPI_Init(&argc, &argv);
  for (int k = 0; k < 100; ++k)
    MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD);
  return MPI_Finalize();
}
PROGRAM
  mpicc.openmpi -o "$1" "$1.c"
}

# copy_to FOLDER: a copy of the tree there, and a program beside it.
copy_to() {
  step "the tree from \"$1\""
  cp -r "$HOME/shunt" "$1"
  make_program "$1/program"
}

# run_from FOLDER: the tree there takes the calls of the program.
run_from() {
  "$1/bin/shunt" run --stats "$1/calls.json" -- mpirun.openmpi -n 2 "$1/program" &&
    grep MPI_Alltoall "$1/calls.json" >/dev/null
}

# run_from_unnameable FOLDER: LD_PRELOAD cannot name what lies there. The command says so, and what it
# advises helps.
run_from_unnameable() {
  local said
  if said=$(run_from "$1" 2>&1); then
    echo "newcomer: what lies in \"$1\" is preloaded, though LD_PRELOAD cannot name it" >&2
    exit 1
  fi
  [[ $said == *"set SHUNT_LIBRARY_PATH to a link to $1/lib/shunt that has neither" ]]
  ln -s "$1/lib/shunt" "$HOME/link"
  SHUNT_LIBRARY_PATH=$HOME/link run_from "$1"
}

step "./demo"
./demo
# ./check would take an hour and a hundred packages more; it is what else README names there.
readme_lines ./demo | grep -x './check .*' >/dev/null

step "the install block"
block=$(readme_lines 'cmake --install')
[[ $block == *'--install build/install' ]]
eval "$block"
"$HOME/shunt/bin/shunt" algorithms >/dev/null

# shellcheck source=scripts/launch.sh
source scripts/launch.sh
copy_to "$HOME/moved"
run_from "$HOME/moved"
copy_to "$HOME/a blank:and a colon"
run_from_unnameable "$HOME/a blank:and a colon"

step "packages for projects in Fortran, with pkg-config, and of MPICH"
get gfortran pkg-config mpich libmpich-dev dpkg-dev file
# In the same folder, to which the compiler that has come since adds the module.
eval "$block"
use_tree openmpi build/install
other=${block//build\/install/build/mpich_tree}
eval "${other/-DSHUNT_TESTS=OFF/-DSHUNT_TESTS=OFF -DMPI_CXX_COMPILER=mpicxx.mpich}"
use_tree mpich build/mpich_tree
step "done"
