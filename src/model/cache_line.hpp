// The size of a cache line, by which memory is moved and shared.
#pragma once

#include <cstddef>

namespace shunt {

/// Bytes of a cache line. Of a machine with others no result is wrong, but ranks may wait for each
/// other's words.
inline constexpr std::size_t kCacheLine = 64;

}  // namespace shunt
