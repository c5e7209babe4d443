// Exchanges among which the same algorithm is about as good.
#pragma once

#include <compare>
#include <string>

#include "model/loads.hpp"
#include "model/sources.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A traffic by three of its numbers, each by its power of two. All ranks have the same one if they
/// agree on the numbers.
struct TrafficSignature {
  bool broadcast = false;
  int volume_bits = 0;   ///< of the bytes of the largest load; of a broadcast, of all bytes
  int longest_bits = 0;  ///< of the bytes of the longest block
  int count_bits = 0;    ///< of the most messages of a rank; of a broadcast, of its sources

  /// What all of these exchanges stay below: "16 KiB a rank, blocks 1 KiB, messages 32".
  [[nodiscard]] std::string text() const;

  friend auto operator<=>(const TrafficSignature&, const TrafficSignature&) = default;
};

/// Of an exchange in which no rank has more than `most_messages` blocks for others, empty ones
/// aside, or more of them from others.
[[nodiscard]] TrafficSignature signature_of(const TrafficBound& traffic, Bytes most_messages);

/// Of a broadcast.
[[nodiscard]] TrafficSignature signature_of(const SourceTotals& broadcast);

}  // namespace shunt
