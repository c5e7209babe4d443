// Copies past the caches, for memory that nobody reads soon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace shunt {

/// Writes whole cache lines without reading them first. `streaming_done` is to be called before
/// others are told of the bytes.
inline void streaming_copy(std::byte* to, const std::byte* from, std::size_t bytes) {
#ifdef __SSE2__
  constexpr std::size_t kLine = 64;
  const std::size_t head = (kLine - reinterpret_cast<std::uintptr_t>(to) % kLine) % kLine;
  if (bytes >= head + kLine) {
    std::memcpy(to, from, head);
    to += head;
    from += head;
    bytes -= head;
    for (; bytes >= kLine; to += kLine, from += kLine, bytes -= kLine) {
      for (std::size_t part = 0; part < kLine; part += sizeof(__m128i)) {
        _mm_stream_si128(reinterpret_cast<__m128i*>(to + part),
                         _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + part)));
      }
    }
  }
#endif
  std::memcpy(to, from, bytes);
}

inline void streaming_done() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace shunt
