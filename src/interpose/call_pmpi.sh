#!/bin/sh
# call_pmpi.sh NM OBJCOPY ARCHIVE COPY: a copy that calls PMPI_X wherever the archive calls MPI_X.
set -e
"$1" --undefined-only --format=posix "$3" |
  sed -nE 's/^(MPIX?_[A-Z][a-z][A-Za-z0-9_]*) .*/\1 P\1/p' | sort -u >"$4.names"
"$2" --redefine-syms="$4.names" "$3" "$4"
