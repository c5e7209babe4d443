// What an exchange did, counted by the engine itself.
#pragma once

#include <string>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// What one rank sent and received in one stage. Lengths are those of the payload: the user's
/// elements, without tables of contents. A message counts once, whether MPI or shared memory
/// carries it and in however many packets. A rank's message to itself counts too, as in the papers,
/// but in all-gathers, where there is none. Empty messages count where they are sent: in exchanges
/// of records, and in all stages but the last of a one-shot exchange.
struct StageCounters {
  int messages_received = 0;
  int messages_sent = 0;
  Bytes longest_received = 0;  ///< payload bytes of the longest message received
  Bytes received = 0;          ///< payload bytes of all messages received
  /// Bytes of tables of contents sent to other ranks, in addition to the payload; 0 in plans and
  /// all-gathers, and not counted in exchanges of records.
  Bytes metadata_sent = 0;
};

/// What one rank did in one exchange: returned by one-shot calls, and by Plan::counters for one
/// execution of a plan. Each rank counts its own part; nothing is communicated for it. Where
/// Options::memory divides a call into parts, messages and their bytes are sums over the parts, and
/// all else the most of any part. An exchange of records sets `stages` alone.
struct Counters {
  /// One entry per stage of the algorithm, first stage first; one for a redistribution by "auto".
  /// Empty where MPI's own collective made the call, which tells nothing of its stages.
  std::vector<StageCounters> stages;
  /// Payload bytes in the send buffer of the stage that filled it most; what leaves straight from
  /// the user's memory is not in it. In dual-buffer mode there are two send buffers of that size.
  Bytes peak_send_buffer = 0;
  /// Payload bytes in the receive buffer of the stage that filled it most; what arrives straight in
  /// the user's memory is not in it.
  Bytes peak_receive_buffer = 0;
  /// Payload bytes of this rank in memory shared with its node, at most at one time; two areas of
  /// that size are used in turn.
  Bytes peak_shared = 0;
  /// Bytes of all buffers in addition to the user's memory: those that the exchange used, and those
  /// that are kept for the next one. Options::memory limits them and says what belongs to them.
  Bytes memory = 0;
  /// What "auto" chose for this call, or for the latest execution of a plan that goes on learning:
  /// an algorithm's name with options behind it, as SHUNT_ALGORITHM takes them, or "native". Empty
  /// where the caller named an algorithm, in redistributions, and in all other plans, of which
  /// Plan::explain tells the choice.
  std::string chosen;
};

}  // namespace shunt
