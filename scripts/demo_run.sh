#!/usr/bin/env bash
# What ./demo shows once everything is built; run from the repository's root.
set -euo pipefail

bin=build/release/bin

# Prints a command as the reader would type it, then runs it.
show() {
  echo
  echo "\$ $*"
  "$@"
}

show mpirun.openmpi -n 8 "$bin/edge_shuffle" --graph data/debian-bookworm-dependencies.graph
show mpirun.openmpi -n 16 "$bin/edge_shuffle" --graph data/debian-bookworm-dependencies.graph
show "$bin/shunt" bench -n 16 --pattern pattern1 pattern2 --maximum 1 1024 --form plan --mode dual
