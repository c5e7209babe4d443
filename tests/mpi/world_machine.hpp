// The nodes on which the tests run, found without the engine.
#pragma once

#include <cstdlib>

#include "model/node_layout.hpp"
#include "mpi/block_case.hpp"

namespace shunt::test {

/// Those that SHUNT_NODES names, or else one node: tests are started on one computer.
inline Machine world_machine() {
  const char* layout = std::getenv("SHUNT_NODES");
  if (layout != nullptr) return read_node_layout(layout, world_size());
  return Machine::blocked(world_size(), world_size());
}

}  // namespace shunt::test
