# shellcheck shell=bash
# Sourced by ./demo and ./check: settings under which MPI runs more ranks than there are cores, also
# as root and in small containers. They are environment variables, so that they hold for every
# launch below, whoever makes it.

# Containers have only root, who owns nothing there that a rank could spoil.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# More ranks than cores: idle ranks give way, and no rank is tied to a core.
export OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_hwloc_base_binding_policy=none
# The same for the launcher of Open MPI 5, which ignores the old names.
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export PRTE_MCA_hwloc_default_binding_policy=none
# Open MPI 5 says on many lines of each run that it found no better way to rank its networks.
export OMPI_MCA_reachable=weighted

# Messages between ranks go through files in /dev/shm, some 4 MiB a rank. Containers often make it
# tiny (64 MiB), and ranks that find it full abort.
shared_memory_mib() {
  df --output=avail --block-size=1M /dev/shm 2>/dev/null | tail -n 1
}
if [[ "$(shared_memory_mib)" -lt 512 ]]; then
  export OMPI_MCA_btl_vader_backing_directory="${TMPDIR:-/tmp}"
  export OMPI_MCA_osc_sm_backing_directory="${TMPDIR:-/tmp}"
  export UCX_POSIX_DIR="${TMPDIR:-/tmp}" # MPICH
fi
