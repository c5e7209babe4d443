// What is inside this machine, as hwloc finds it.
#pragma once

#include <nlohmann/json.hpp>

namespace shunt {

/// Describes the hardware as an object: model (of the processors, or null), packages, cores,
/// processing_units, numa_nodes, memory_bytes; caches, an array from the smallest to the largest,
/// each with name, bytes, their number, and the number of processing_units that share one; and
/// processors, the numbers of those that this process may use. Throws Error(argument) where hwloc
/// cannot find it out.
[[nodiscard]] nlohmann::json describe_hardware();

}  // namespace shunt
