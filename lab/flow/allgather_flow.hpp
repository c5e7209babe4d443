// The messages of an all-gather, and what they amount to.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "algorithms/allgather.hpp"
#include "schedule/one_port.hpp"

namespace shunt {

/// All messages, by stage, in the order of the steps.
using AllgatherFlow = std::vector<std::vector<SizedMessage>>;

/// Called for each message with the shares that it carries, stage by stage.
using ShareWatch = std::function<void(int stage, Rank to, std::span<const Share> shares)>;

/// Returns all messages of `allgather`, and calls `watch` for each. Costs O(ranks * (sources +
/// steps)).
[[nodiscard]] AllgatherFlow follow_allgather(const Allgather& allgather,
                                             const ShareWatch& watch = {});

/// Seconds on one port each way a rank, without other contention (`OnePortClock`).
[[nodiscard]] double seconds_of(const AllgatherFlow& flow, Rank ranks, const LinkCost& cost);

/// What the papers call one iteration.
enum class Iteration {
  stage,
  step  ///< where a stage is a row of permutations
};

/// The parameters of Hambrusch, Khokhar, Liu 1998, Section 4.
struct AllgatherMetrics {
  int congestion = 0;  ///< messages that a rank sends and receives in one iteration, at most
  int wait = 0;        ///< times that a rank waits for data before it sends again, at most
  int messages = 0;    ///< #send/rec: that a rank sends and receives in all, at most

  /// av_msg_lgth: bytes that a rank sends or receives in an iteration, whichever are more, on
  /// average; of the rank with most.
  double average_length = 0;

  /// av_act_proc: ranks that send or receive in an iteration, on average.
  double average_active = 0;
};

/// Nothing is waited for but between stages: what a rank sends it has held at the stage's
/// beginning.
[[nodiscard]] AllgatherMetrics metrics_of(const Allgather& allgather, Iteration iteration);

}  // namespace shunt
