// How the messages of one exchange to the ranks of a node share the sender's memory there.
#pragma once

#include <span>

#include "shunt/types.hpp"
#include "transport/pipe.hpp"
#include "transport/region.hpp"

namespace shunt {

/// Messages of at most this many bytes lie in shared memory whole, where there is room: longer ones
/// are taken better while they are still being put in.
inline constexpr Bytes kLongestWhole = 32768;

/// Gives every message a place: whole, or a pipe.
class Slots {
 public:
  /// Lays out messages of these lengths in `room` bytes. A longer message has a pipe with a longer
  /// ring, so that all messages need about as many handovers.
  Slots(Bytes room, std::span<const Bytes> lengths);

  /// Whether there is room for all messages, with rings of at least kShortestRing bytes.
  [[nodiscard]] bool fit() const { return shortest_ == kShortestRing; }

  /// The place of the next message. Required: `fit()`, and a length from those given.
  [[nodiscard]] SharedMessage next(Bytes length);

  /// Bytes in use so far, and of them those for payload.
  [[nodiscard]] Bytes used() const { return used_; }
  [[nodiscard]] Bytes payload() const { return payload_; }

  /// Below this a message is handed over in pieces that cost more than the bytes in them: MPI does
  /// it better.
  static constexpr Bytes kShortestRing = 2048;

  /// What has been put in is to be taken out of a cache again; so an exchange of blocks uses at
  /// most this much, however much room there is. With half of it, 16 ranks on two processors handed
  /// long messages over in pieces too short; with twice as much they were slower too.
  static constexpr Bytes kBlocksRoom = Bytes{512} << 10;

 private:
  /// A pipe's head, and what it may take to begin at a line.
  static constexpr Bytes kPipeExtra = Pipe::kHead + Region::kLine;

  [[nodiscard]] Bytes ring_for(Bytes length) const;

  Bytes longest_;                   ///< ring
  Bytes whole_ = kLongestWhole;     ///< messages up to this long lie there whole
  Bytes shortest_ = kShortestRing;  ///< every ring has this, and its part of `spare_`
  Bytes spare_ = 0;
  Bytes piped_ = 0;  ///< bytes of all messages that have a pipe
  Bytes used_ = 0;
  Bytes payload_ = 0;
};

}  // namespace shunt
