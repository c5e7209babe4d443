// What Shunt makes of the ranks of MPI_COMM_WORLD.
#pragma once

#include <nlohmann/json.hpp>

namespace shunt {

/// Collective; on rank 0 an object: ranks, mpi (the library), shunt_nodes (the layout in effect;
/// null: the machine's), four_stage_array with columns, rows and remainder; and nodes, an array in
/// the order of their lowest ranks, each with node, host, ranks, processors (that its ranks may
/// use), shared_bytes_per_rank, and hardware as `describe_hardware` has it. On other ranks null.
/// Throws Error(argument) on rank 0 for what is wrong on any, as SHUNT_NODES that cannot be read.
[[nodiscard]] nlohmann::json describe_nodes();

}  // namespace shunt
