// Where the ranks of a test are, found without the engine.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "algorithms/allgather_registry.hpp"
#include "algorithms/registry.hpp"
#include "model/node_layout.hpp"
#include "mpi/block_case.hpp"
#include "mpi/own_communicator.hpp"

namespace shunt::test {

/// The computers that the ranks run on, in the order of their lowest ranks. Collective when it is
/// first called.
inline const Machine& computers() {
  static const Machine found = [] {
    const auto computer = OwnCommunicator::of_machine(MPI_COMM_WORLD);
    Rank lowest = world_rank();
    MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, computer.get());
    std::vector<Rank> lowest_of(static_cast<std::size_t>(world_size()));
    MPI_Allgather(&lowest, 1, MPI_INT, lowest_of.data(), 1, MPI_INT, MPI_COMM_WORLD);
    return Machine::of_labels(lowest_of);
  }();
  return found;
}

/// The nodes that SHUNT_NODES names, or else the computers.
inline Machine world_machine() {
  const char* layout = std::getenv("SHUNT_NODES");
  return layout != nullptr ? read_node_layout(layout, world_size()) : computers();
}

/// Whether some of these have several ranks.
inline bool ranks_share_nodes() { return world_machine().nodes() < world_size(); }

/// Whether all ranks of the world are on one node, so that what is short is shared for certain.
inline bool one_node() { return std::getenv("SHUNT_NODES") == nullptr && computers().nodes() == 1; }

/// Whether the algorithms that ask which ranks share a node are tried alone: on many layouts of
/// nodes, on each of which the others would do the same.
inline bool nodes_alone() { return std::getenv("NODES_ALONE") != nullptr; }

inline std::vector<std::string> tried_algorithms() {
  return nodes_alone() ? node_algorithm_names() : algorithm_names(world_size());
}

inline std::vector<std::string> tried_allgathers() {
  return nodes_alone() ? node_allgather_names() : allgather_names(world_size());
}

}  // namespace shunt::test
