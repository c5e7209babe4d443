// What a message carries for whom: its table of contents, and how that travels.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// `length` > 0 bytes for `destination`.
struct Entry {
  Rank destination;
  Bytes length;

  friend bool operator==(const Entry&, const Entry&) = default;
};

/// The entries of a message, destinations ascending; its payload holds them in this order.
using Contents = std::vector<Entry>;

/// The bytes of all entries together.
[[nodiscard]] Bytes payload_of(const Contents& contents);

/// The encoded form is sparse and has no width to choose: the number of entries, then per entry the
/// distance to the previous destination and the length, each as a variable-length integer of seven
/// bits a byte. A dense message of short blocks costs two bytes an entry.
[[nodiscard]] std::size_t encoded_size(const Contents& contents);

/// Writes encoded_size(contents) bytes.
void encode(const Contents& contents, std::byte* to);

/// Reads contents from the front of `bytes` and returns the number of bytes read. Throws
/// Error(truncated) where they are not the contents of a message among `ranks` ranks.
std::size_t decode(std::span<const std::byte> bytes, Rank ranks, Contents& contents);

}  // namespace shunt
