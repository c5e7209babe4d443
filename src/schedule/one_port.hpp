// When messages get through where each rank has one port in and one out, and nothing else is in the
// way.
#pragma once

#include <span>
#include <vector>

#include "model/loads.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// A message of one stage.
struct SizedMessage {
  int step;
  Rank from;
  Rank to;
  Bytes bytes;
};

/// The messages of each step that has any; `messages` are ordered by step.
[[nodiscard]] std::vector<std::span<const SizedMessage>> by_step(
    std::span<const SizedMessage> messages);

/// How far each rank has come. It takes its steps one by one, and is done with one when what it
/// sends and what it receives there is through. A message begins when both of its ranks have come
/// to it.
class OnePortClock {
 public:
  OnePortClock(Rank ranks, const LinkCost& cost)
      : cost_(cost), done_(static_cast<std::size_t>(ranks), 0) {}

  /// The messages of the next stage, ordered by step. Costs O(messages).
  void pass(std::span<const SizedMessage> messages);

  /// Seconds until the last rank is done.
  [[nodiscard]] double latest() const;

 private:
  double& done(Rank rank) { return done_[static_cast<std::size_t>(rank)]; }

  LinkCost cost_;
  std::vector<double> done_;  ///< by rank
  std::vector<double> ends_;  ///< of the messages of one step
};

}  // namespace shunt
