#!/usr/bin/env bash
# The library shows MPI's symbols and no others, and Shunt itself calls none of those it takes over.
# shellcheck source=tests/interpose/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

c_forms='MPI_Alltoall MPI_Alltoallv MPI_Alltoallw MPI_Allgather MPI_Allgatherv MPI_Finalize'
expected=$c_forms
if [[ $SHUNT_MPI == mpich ]]; then
  expected+=' MPI_Alltoall_c MPI_Alltoallv_c MPI_Alltoallw_c MPI_Allgather_c MPI_Allgatherv_c'
  expected+=' mpi_finalize_f08_'
else
  for name in alltoall alltoallv alltoallw allgather allgatherv finalize; do
    expected+=" ompi_${name}_f mpi_$name mpi_${name}_ mpi_${name}__ MPI_${name^^}"
  done
fi
diff -u <(tr ' ' '\n' <<<"$expected" | sort) \
  <(nm --dynamic --defined-only --format=posix "$library" | cut -d ' ' -f 1 | sort) ||
  fail 'the library shows other symbols'

for archive in "$bin"/../lib/libshunt.a "$bin"/../lib/libshunt_core.a; do
  if nm --undefined-only --format=posix "$archive" |
    grep -E '^(MPI_Alltoall[vw]?(_c)?|MPI_Allgatherv?(_c)?|MPI_Finalize) '; then
    fail "$archive calls what the library takes over"
  fi
done
