// The steps in which the classes of a block-cyclic redistribution are sent.
#pragma once

#include <vector>

#include "schedule/block_cyclic_classes.hpp"

namespace shunt {

/// The steps of meetings, as few as possible: as many as the busiest place of either side has
/// messages (Koenig), where a place sends at most one message in a step and receives at most one. A
/// step is a function of the class and the companions that meet. Where neither closed form applies,
/// making the steps colours the quotient of the classes first.
class BlockCyclicSteps {
 public:
  explicit BlockCyclicSteps(const BlockCyclicClasses& classes);

  [[nodiscard]] int count() const { return count_; }

  /// Returns the step, from 0, in which sender number x and receiver number y meet in class q.
  [[nodiscard]] int step(Index q, Index x, Index y) const;

 private:
  using Side = BlockCyclicClasses::Side;
  /// How steps are numbered: by a Latin square of companions for each turn of the classes, where
  /// the side with fewer classes has more companions; along the list of what one side does, where
  /// its places have all classes; by colours of the quotient elsewhere.
  enum class Rule { grid, list, coloured };

  [[nodiscard]] Rule choose_rule() const;
  [[nodiscard]] Index place_in_list(Index q, Index x, Index y) const;

  BlockCyclicClasses classes_;
  Rule rule_;
  int count_;
  std::vector<int> colours_;  ///< of the quotient, for `coloured`
};

}  // namespace shunt
