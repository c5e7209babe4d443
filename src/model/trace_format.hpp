// What readers and writers of traces have to agree on; docs/formats.md describes it.
#pragma once

#include <cstdint>
#include <string_view>

namespace shunt::trace_format {

inline constexpr std::string_view kName = "shunt-trace";
inline constexpr std::int64_t kVersion = 1;           ///< of a trace without all-gathers
inline constexpr std::int64_t kAllgatherVersion = 2;  ///< of a trace that has all-gathers
inline constexpr std::size_t kLongestHeader = std::size_t{16} << 20;

}  // namespace shunt::trace_format
