// The steps in which the classes of a block-cyclic redistribution are sent.
#pragma once

#include <vector>

#include "schedule/block_cyclic_classes.hpp"

namespace shunt {

/// As few steps as can be: as many as the busiest place of either side has messages (Koenig), a
/// place sends at most one message in a step, and one receives at most one. A step is a function of
/// the class and the companions that meet; but where neither closed form applies, whoever makes the
/// steps colours the quotient of the classes first.
class BlockCyclicSteps {
 public:
  explicit BlockCyclicSteps(const BlockCyclicClasses& classes);

  [[nodiscard]] int count() const { return count_; }

  /// From 0, of sender number x and receiver number y in class q.
  [[nodiscard]] int step(Index q, Index x, Index y) const;

 private:
  using Side = BlockCyclicClasses::Side;
  /// How steps are numbered: by a Latin square of companions for each turn of the classes, where
  /// the side with fewer classes has more companions; along the list of what one side does, where
  /// its places have all classes; by colours of the quotient elsewhere.
  enum class Rule { grid, list, coloured };

  /// The side with more classes and more companions, and the other one, for `list`.
  struct Roles {
    const Side& more;
    const Side& fewer;
    bool swapped;  ///< the receivers are `more`
  };

  [[nodiscard]] Rule choose_rule() const;
  [[nodiscard]] Roles roles() const;
  [[nodiscard]] Index place_in_list(Index q, Index x, Index y) const;

  BlockCyclicClasses classes_;
  Rule rule_;
  int count_;
  std::vector<int> colours_;  ///< of the quotient, for `coloured`
};

}  // namespace shunt
