// Variable-length integers in traces: LEB128, seven bits to a byte, the lowest first.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace shunt {

/// Takes a number off the front of `bytes`; nothing where they end early or it needs more than 63
/// bits.
[[nodiscard]] inline std::optional<std::int64_t> take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 63 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte < 0x80) return static_cast<std::int64_t>(value);
  }
  return std::nullopt;
}

}  // namespace shunt
