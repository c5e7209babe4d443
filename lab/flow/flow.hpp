// What an algorithm does to a traffic, followed without moving a byte: the lengths of all messages.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "lab/traffic/traffic.hpp"

namespace shunt {

/// One message of one stage, in bytes of payload; it may be empty.
struct FlowMessage {
  int step;
  Rank from;
  Rank to;
  Bytes bytes;
};

/// One stage over all ranks.
struct StageFlow {
  std::vector<FlowMessage> messages;   ///< by sender, then by step
  std::vector<Bytes> load;             ///< by rank: bytes received
  std::vector<Bytes> longest_message;  ///< by rank: of those received

  [[nodiscard]] Bytes largest_load() const;
  [[nodiscard]] Bytes longest() const;
  /// Seconds on one port per rank when each step waits for its longest message.
  [[nodiscard]] double seconds(const LinkCost& cost, int step_count) const;
};

/// Called with the bytes that each rank holds for `destination` when `stages_over` stages are over.
using StreamWatch =
    std::function<void(int stages_over, Rank destination, std::span<const Bytes> held)>;

/// Follows all blocks of `traffic`, in elements of `element` bytes, through all stages. Throws
/// Error(argument) for a block that the algorithm does not carry. Global view: costs
/// O(ranks^2 * pieces per stream) time and O(messages) memory.
[[nodiscard]] std::vector<StageFlow> follow_traffic(const Algorithm& algorithm,
                                                    const Traffic& traffic, Bytes element,
                                                    const StreamWatch& watch = {});

}  // namespace shunt
