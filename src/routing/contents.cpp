#include "routing/contents.hpp"

#include <bit>
#include <cstdint>

#include "shunt/error.hpp"

namespace shunt {

namespace {

constexpr unsigned kBitsPerByte = 7;
constexpr std::uint64_t kMore = 1U << kBitsPerByte;

std::size_t varint_size(std::uint64_t value) {
  return (static_cast<std::size_t>(std::bit_width(value | 1)) + kBitsPerByte - 1) / kBitsPerByte;
}

std::byte* put_varint(std::uint64_t value, std::byte* to) {
  for (; value >= kMore; value >>= kBitsPerByte) *to++ = static_cast<std::byte>(value | kMore);
  *to++ = static_cast<std::byte>(value);
  return to;
}

[[noreturn]] void fail() {
  throw Error(ErrorKind::truncated,
              "a message's table of contents is damaged; the ranks do not agree on the counts, the "
              "algorithm or its options");
}

/// Takes a number off the front of `bytes`.
std::uint64_t read_varint(std::span<const std::byte>& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += kBitsPerByte) {
    const auto next = std::to_integer<std::uint64_t>(bytes.front());
    bytes = bytes.subspan(1);
    value |= (next & (kMore - 1)) << shift;
    if (next < kMore) return value;
  }
  fail();
}

}  // namespace

Bytes payload_of(const Contents& contents) {
  Bytes payload = 0;
  for (const Entry& entry : contents) payload += entry.length;
  return payload;
}

std::size_t encoded_size(const Contents& contents) {
  std::size_t size = varint_size(contents.size());
  Rank previous = -1;
  for (const Entry& entry : contents) {
    size += varint_size(static_cast<std::uint64_t>(entry.destination - previous - 1)) +
            varint_size(static_cast<std::uint64_t>(entry.length));
    previous = entry.destination;
  }
  return size;
}

void encode(const Contents& contents, std::byte* to) {
  to = put_varint(contents.size(), to);
  Rank previous = -1;
  for (const Entry& entry : contents) {
    to = put_varint(static_cast<std::uint64_t>(entry.destination - previous - 1), to);
    to = put_varint(static_cast<std::uint64_t>(entry.length), to);
    previous = entry.destination;
  }
}

std::size_t decode(std::span<const std::byte> bytes, Rank ranks, Contents& contents) {
  std::span<const std::byte> rest = bytes;
  const std::uint64_t entries = read_varint(rest);
  if (entries > static_cast<std::uint64_t>(ranks)) fail();
  contents.clear();
  std::uint64_t next = 0;
  for (std::uint64_t i = 0; i < entries; ++i) {
    const std::uint64_t gap = read_varint(rest);
    const std::uint64_t length = read_varint(rest);
    if (gap >= static_cast<std::uint64_t>(ranks) ||
        next + gap >= static_cast<std::uint64_t>(ranks) || length == 0 ||
        length > static_cast<std::uint64_t>(INT64_MAX)) {
      fail();
    }
    next += gap;
    contents.push_back({static_cast<Rank>(next), static_cast<Bytes>(length)});
    ++next;
  }
  return bytes.size() - rest.size();
}

}  // namespace shunt
