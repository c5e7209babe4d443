#!/usr/bin/env bash
# The library shows MPI's symbols and no others, and Shunt itself calls none of those it takes over.
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

expected=
for name in Alltoall Alltoallv Alltoallw Allgather Allgatherv Gatherv Scatterv Finalize Intercomm_merge; do
  expected+=" MPI_$name PMPI_$name"
  if [[ $SHUNT_MPI == mpich && $name != Finalize && $name != Intercomm_merge ]]; then
    expected+=" MPI_${name}_c PMPI_${name}_c"
  fi
done
diff -u <(tr ' ' '\n' <<<"${expected# }" | sort) \
  <(nm --dynamic --defined-only --format=posix "$library" | cut -d ' ' -f 1 | sort) ||
  fail 'the library shows other symbols'

# Nor does what lies below tools call any function by the name under which these see it.
if nm --dynamic --undefined-only --format=posix "$library" | grep -E '^MPIX?_[A-Z][a-z]'; then
  fail 'tools see calls that Shunt makes'
fi

for archive in "$bin"/../lib/libshunt.a "$bin"/../lib/libshunt_core.a; do
  if nm --undefined-only --format=posix "$archive" |
    grep -E '^(MPI_Alltoall[vw]?(_c)?|MPI_Allgatherv?(_c)?|MPI_(Gather|Scatter)v(_c)?|MPI_Finalize) '; then
    fail "$archive calls what the library takes over"
  fi
done
