// How much memory the buffers of an exchange take at most, in addition to the user's memory.
#pragma once

#include "algorithms/algorithm.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// Bytes that a rank needs in one stage at most. Nothing for an algorithm of one stage: every block
/// goes from the user's memory to the user's.
struct StageBuffers {
  Bytes messages = 0;  ///< to send; as many to receive
  Bytes own = 0;       ///< the message to itself
};

[[nodiscard]] StageBuffers stage_buffers(const Algorithm& algorithm, Rank rank,
                                         const TrafficBound& traffic);

/// The bytes of all buffers of one rank in an exchange, at most.
class MemoryBound {
 public:
  /// A plan has its send buffers, a receive buffer, and two for messages to itself. A one-shot
  /// exchange moreover has heads of `head` bytes for a stage's messages, twice, puts tables of
  /// contents in front of messages, and has what came last while the last stage arrives.
  MemoryBound(const Algorithm& algorithm, Rank rank, Mode mode, Bytes head = 0);

  /// Bytes, if no rank sends or receives more than `traffic` says.
  [[nodiscard]] Bytes operator()(const TrafficBound& traffic) const;

 private:
  const Algorithm& algorithm_;
  Rank rank_;
  bool dual_;
  Bytes head_;               ///< 0 for a plan
  Bytes most_messages_ = 0;  ///< of a stage that is not the last, each way
};

/// Returns how many bytes a head may have so that the heads of a one-shot exchange take at most an
/// eighth of `memory`; at most `usual`. Equal on all ranks.
[[nodiscard]] Bytes head_within(const Algorithm& algorithm, Bytes memory, Bytes usual);

}  // namespace shunt
