// Traffics that come from files, which have the sizes that they have.
#pragma once

#include <string_view>
#include <vector>

#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic.hpp"

namespace shunt {

/// Whether `make_traffic` reads a file where it is given this: no size of a TrafficShape but the
/// ranks changes what comes of it.
[[nodiscard]] bool is_traffic_file(std::string_view specification);

/// The sizes to make a traffic of each: all of `sizes`, or only the first where the specification
/// is a file, whose traffic has the same size under each.
[[nodiscard]] std::vector<Bytes> sizes_for(std::string_view specification,
                                           const std::vector<Bytes>& sizes);

/// Elements that no block of the traffic exceeds: the maximum of the shape that it was made with,
/// or where it is a file the longest block that is there.
[[nodiscard]] Bytes maximum_of(const Traffic& traffic, const TrafficShape& shape);

}  // namespace shunt
