// Which places send to which, and when, in the redistribution of a long array from any block-cyclic
// distribution to any other. Guo, Nakata, Yamashita 2000, Section 4, where one block size divides
// the other; here for all, in the least number of steps.
#pragma once

#include <vector>

#include "schedule/block_cyclic_classes.hpp"
#include "schedule/block_cyclic_steps.hpp"
#include "schedule/step.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// One dimension, as BlockCyclicClasses and BlockCyclicSteps have it. A place finds its messages in
/// time proportional to their number.
class BlockCyclicSchedule {
 public:
  /// `shift`: how many indices the first block of `to` begins behind that of `from`. Throws
  /// Error(count) as `block_stride` does.
  BlockCyclicSchedule(const Dealing& from, const Dealing& to, Index shift = 0)
      : classes_(from, to, shift), steps_(classes_) {}

  [[nodiscard]] int step_count() const { return steps_.count(); }

  /// COM[sender, receiver]: whether the two places meet.
  [[nodiscard]] bool meet(Rank sender, Rank receiver) const {
    return classes_.meet(sender, receiver);
  }

  /// The steps in which a place sends, or receives, ascending.
  [[nodiscard]] std::vector<Step> sends(Rank sender) const;
  [[nodiscard]] std::vector<Step> receives(Rank receiver) const;

 private:
  [[nodiscard]] int step_of(Index q, Rank sender, Rank receiver) const {
    return steps_.step(q, sender / classes_.from().turn, receiver / classes_.to().turn) + 1;
  }

  BlockCyclicClasses classes_;
  BlockCyclicSteps steps_;
};

}  // namespace shunt
