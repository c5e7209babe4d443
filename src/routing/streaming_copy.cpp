#include "routing/streaming_copy.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <unistd.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace shunt {

namespace {

/// Copies so many lines to where a line begins.
using CopyLines = void (*)(std::byte* to, const std::byte* from, std::size_t lines);

#ifdef __x86_64__

// A line that is written by several instructions may leave the processor in parts, where the loads
// of the next ones need its place: then it takes twice the time and more. So one writes it where
// the processor can.

[[gnu::target("avx512f")]] void copy_lines_of_one_part(std::byte* to, const std::byte* from,
                                                       std::size_t lines) {
  for (; lines > 0; --lines, to += kCacheLine, from += kCacheLine) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
  }
}

[[gnu::target("avx")]] void copy_lines_of_two_parts(std::byte* to, const std::byte* from,
                                                    std::size_t lines) {
  for (; lines > 0; --lines, to += kCacheLine, from += kCacheLine) {
    const __m256i first = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    const __m256i second = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from) + 1);
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), first);
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to) + 1, second);
  }
}

void copy_lines_of_four_parts(std::byte* to, const std::byte* from, std::size_t lines) {
  for (; lines > 0; --lines, to += kCacheLine, from += kCacheLine) {
    for (std::size_t part = 0; part < kCacheLine; part += sizeof(__m128i)) {
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + part),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + part)));
    }
  }
}

CopyLines best_copy() {
  if (__builtin_cpu_supports("avx512f")) return copy_lines_of_one_part;
  if (__builtin_cpu_supports("avx")) return copy_lines_of_two_parts;
  return copy_lines_of_four_parts;
}

#else

CopyLines best_copy() {
  return [](std::byte* to, const std::byte* from, std::size_t lines) {
    std::memcpy(to, from, lines * kCacheLine);
  };
}

#endif

/// Bytes of the last caches that the processors here have, as far as the system says; or 0.
Bytes last_caches() {
#ifdef _SC_LEVEL3_CACHE_SIZE
  const Bytes told = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
#else
  constexpr Bytes told = 0;
#endif
#ifdef __x86_64__
  // AMD's processors have one for each complex of cores, of 32 MiB as a rule, and here all of a
  // package is told, also where a virtual machine has only a few of its cores.
  if (__builtin_cpu_is("amd")) {
    constexpr Bytes kOfAComplex = Bytes{32} << 20;
    return std::min(told, kOfAComplex * ::sysconf(_SC_NPROCESSORS_ONLN));
  }
#endif
  return told;
}

}  // namespace

void streaming_copy(std::byte* to, const std::byte* from, std::size_t bytes) {
  static const CopyLines kCopyLines = best_copy();
  const std::size_t head =
      (kCacheLine - reinterpret_cast<std::uintptr_t>(to) % kCacheLine) % kCacheLine;
  if (bytes >= head + kCacheLine) {
    std::memcpy(to, from, head);
    const std::size_t lines = (bytes - head) / kCacheLine;
    kCopyLines(to + head, from + head, lines);
    const std::size_t copied = head + lines * kCacheLine;
    to += copied;
    from += copied;
    bytes -= copied;
  }
  std::memcpy(to, from, bytes);
}

void streaming_done() {
#ifdef __x86_64__
  _mm_sfence();
#endif
}

Bytes kept_by_caches() {
  constexpr Bytes kUsual = Bytes{16} << 20;
  static const Bytes kLastCaches = last_caches();
  // With 480 MiB of cache, 32 MiB that arrived took up to a fifth less through it, and 128 MiB past
  // it; on two processors of AMD, whose package has 508 MiB, 32 MiB past it too.
  return kLastCaches > 0 ? kLastCaches / 8 : kUsual;
}

}  // namespace shunt
