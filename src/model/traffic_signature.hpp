// Classes of exchanges for which one algorithm is about equally good.
#pragma once

#include <compare>
#include <string>

#include "model/sources.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A traffic by three of its numbers, each by its power of two. All ranks have the same one if they
/// agree on the numbers.
struct TrafficSignature {
  bool allgather = false;
  int volume_bits = 0;   ///< of the most bytes for others, or from them; of an all-gather, of all
  int longest_bits = 0;  ///< of the bytes of the longest block
  int count_bits = 0;    ///< of the most messages of a rank; of an all-gather, of its sources

  /// Returns the bounds below which all exchanges with this signature are: "16 KiB to others,
  /// blocks 1 KiB, messages 32".
  [[nodiscard]] std::string text() const;

  friend auto operator<=>(const TrafficSignature&, const TrafficSignature&) = default;
};

/// An exchange by the most that one rank has.
struct BusiestRank {
  Bytes load_of_others = 0;  ///< bytes for others, or from them: what ranks keep never travels
  Bytes longest_block = 0;   ///< bytes
  Bytes messages = 0;        ///< blocks, empty ones aside; in calls also one that it keeps
};

/// Returns the signature of an exchange.
[[nodiscard]] TrafficSignature signature_of(const BusiestRank& exchange);

/// Returns the signature of an all-gather.
[[nodiscard]] TrafficSignature signature_of(const SourceTotals& allgather);

}  // namespace shunt
