// What is inside this machine, as hwloc finds it.
#pragma once

#include <nlohmann/json.hpp>

namespace shunt {

/// An object: model (of the processors, or null), packages, cores, processing_units, numa_nodes,
/// memory_bytes; caches, an array from the smallest to the largest, each with name, bytes, how many
/// there are, and processing_units, which share one; and processors, the numbers of those that this
/// process may use. Throws Error(argument) where hwloc cannot tell.
[[nodiscard]] nlohmann::json describe_hardware();

}  // namespace shunt
