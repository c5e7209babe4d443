// Copies past the caches, for memory that is not read soon.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/cache_line.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Copies bytes past the caches: writes whole cache lines without reading them first.
/// `streaming_done` is called before other processors may look at the bytes.
void streaming_copy(std::byte* to, const std::byte* from, std::size_t bytes);

/// Prefetches what a later streaming copy to these bytes has to read: the lines at its ends, where
/// it has only a part of them. All that it writes after such a line waits for it.
inline void streaming_soon(std::byte* to, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(to);
  if (begin % kCacheLine > 0) __builtin_prefetch(to, 1);
  if ((begin + bytes) % kCacheLine > 0) __builtin_prefetch(to + bytes - 1, 1);
}

void streaming_done();

/// Returns how many bytes that arrive on a node its caches can keep, together with where they come
/// from and what else the program uses.
[[nodiscard]] Bytes kept_by_caches();

}  // namespace shunt
