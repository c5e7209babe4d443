// Where the bytes of the last stage's messages belong: computed by the destination from its own
// counts, so that no message needs to say whose bytes it carries.
#pragma once

#include <span>
#include <vector>

#include "algorithms/algorithm.hpp"

namespace shunt {

/// `length` consecutive payload bytes that belong into the block from `source`, at `offset`.
struct Landing {
  Rank source;
  Bytes offset;
  Bytes length;
};

/// The payload of one message of the last stage, in order.
struct Arrival {
  Rank from;
  Bytes payload = 0;
  std::vector<Landing> landings;
};

/// The non-empty messages that `destination` receives in the last stage, senders ascending, when
/// rank i has a block of counts[i] bytes for it: the routes of all its streams are followed from
/// their sources (spec: step 5 of the order-preserving form). Costs O(ranks * pieces per stream).
[[nodiscard]] std::vector<Arrival> arrivals_at(const Algorithm& algorithm, Rank destination,
                                               std::span<const Bytes> counts);

}  // namespace shunt
