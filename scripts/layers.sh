#!/usr/bin/env bash
# scripts/layers.sh [FOLDER]
#
# Reads every #include "..." in the sources below the folder, by default this tree, and fails where
# one goes up, sideways, or from below the line "MPI begins here" to mpi.h. As every arrow goes down
# in scripts/layers.txt, there is no circle.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
cd "${1:-$here/..}"

find src lab tools include tests examples -type f \
  \( -name '*.hpp' -o -name '*.cpp' -o -name '*.h' -o -name '*.c' \) -print0 |
  xargs -0 awk -f "$here/include_files.awk" -f "$here/layers.awk" "$here/layers.txt" || exit 1
