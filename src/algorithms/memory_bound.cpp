#include "algorithms/memory_bound.hpp"

#include <algorithm>
#include <bit>

namespace shunt {

namespace {

/// Bytes of `largest` as routing/contents.hpp writes numbers: seven bits a byte.
Bytes encoded_bytes(Bytes largest) {
  return std::max<Bytes>(1, (std::bit_width(static_cast<std::uint64_t>(largest)) + 6) / 7);
}

/// Bytes in front of the payload of a message, at most: its length, and a table with an entry for
/// each of `ranks` ranks.
Bytes label_bound(Rank ranks, Bytes longest_message) {
  constexpr Bytes kLength = 8;
  const Bytes entry = encoded_bytes(ranks) + encoded_bytes(longest_message);
  return kLength + encoded_bytes(ranks) + ranks * entry;
}

}  // namespace

StageBuffers stage_buffers(const Algorithm& algorithm, Rank rank, const TrafficBound& traffic) {
  if (algorithm.stages() == 1) return {};
  StageBuffers buffers{algorithm.buffer_bound(rank, traffic), 0};
  for (int stage = 0; stage < algorithm.stages(); ++stage) {
    buffers.own = std::max(buffers.own, algorithm.bound(stage, rank, traffic).longest_message);
  }
  buffers.own = std::min(buffers.own, buffers.messages);
  return buffers;
}

MemoryBound::MemoryBound(const Algorithm& algorithm, Rank rank, Mode mode, Bytes head)
    : algorithm_(algorithm), rank_(rank), dual_(mode == Mode::dual_buffer), head_(head) {
  if (head == 0) return;
  for (int stage = 0; stage + 1 < algorithm.stages(); ++stage) {
    most_messages_ = std::max(most_messages_, std::ssize(algorithm.steps(stage, rank)));
  }
}

Bytes MemoryBound::operator()(const TrafficBound& traffic) const {
  if (algorithm_.stages() == 1) return 0;
  const auto [messages, own] = stage_buffers(algorithm_, rank_, traffic);
  const Bytes send_buffers = dual_ ? 2 : 1;
  const Bytes plan = (send_buffers + 1) * messages + 2 * own;
  if (head_ == 0) return plan;
  // A message has its label where it is sent, and where it is received beyond its head; what comes
  // in the last stage has none, and is received while that is still there.
  const Bytes labels = most_messages_ * label_bound(algorithm_.ranks(), messages);
  return plan + messages + (send_buffers + 1) * labels + 2 * most_messages_ * head_;
}

Bytes head_within(const Algorithm& algorithm, Bytes memory, Bytes usual) {
  Bytes steps = 1;
  for (int stage = 0; stage + 1 < algorithm.stages(); ++stage) {
    steps = std::max<Bytes>(steps, algorithm.step_count(stage));
  }
  constexpr Bytes kShortest = 64;
  return std::clamp(memory / (16 * steps), std::min(kShortest, usual), usual);
}

}  // namespace shunt
