// What an exchange did, counted by the engine itself.
#pragma once

#include <string>
#include <vector>

#include "shunt/types.hpp"

namespace shunt {

/// One rank's view of one stage. The message to oneself counts, as in the papers.
struct StageCounters {
  int messages_received = 0;
  int messages_sent = 0;
  Bytes longest_received = 0;  ///< payload bytes of one message
  Bytes received = 0;          ///< payload bytes of all messages
  Bytes metadata_sent = 0;     ///< bytes beside the payload; none in a plan
};

struct Counters {
  std::vector<StageCounters> stages;
  /// Payload bytes of the fullest send buffer and the fullest receive buffer. In dual-buffer mode
  /// there are two send buffers of that size.
  Bytes peak_send_buffer = 0;
  Bytes peak_receive_buffer = 0;
  /// Payload bytes that this rank has in memory shared with its node at a time, at most; there are
  /// two places of that size, used in turn.
  Bytes peak_shared = 0;
  /// Bytes of all buffers beside the user's memory that the exchange has used, or that are kept for
  /// the next one: what `Options::memory` limits.
  Bytes memory = 0;
  /// What "auto" took for this call, or for the last execution of a plan that goes on learning;
  /// "native" if it was MPI's own collective; empty where the caller named an algorithm, and of
  /// other plans, which say it by `Plan::explain`.
  std::string chosen;
};

}  // namespace shunt
