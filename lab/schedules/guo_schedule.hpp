// Which places send to which when an array in blocks of beta * b is redistributed to blocks of b:
// Guo, Nakata, Yamashita 2000, Section 4.1, Algorithm 1, in closed form.
#pragma once

#include <cstdint>

#include "shunt/types.hpp"

namespace shunt {

/// From CYCLIC(beta * b) on P places to CYCLIC(b) on no fewer, P', of an array so long that
/// whatever can meet does. A sender's receivers lie in groups of `width` neighbours, `groups_apart`
/// from one to the next; it sends to one after the other, round, and senders that have the same
/// ones begin at different ones of them. (Definition 2's index is meant as "the k-th of them,
/// counted round".) A place finds each of its steps in constant time.
class GuoSchedule {
 public:
  /// Throws Error(argument) where there are more senders than receivers: then some receiver has
  /// more messages than any sender, and the algorithm none of its steps.
  GuoSchedule(Rank senders, Rank receivers, std::int64_t beta);

  [[nodiscard]] Rank senders() const { return senders_; }
  /// K: how many receivers each sender has.
  [[nodiscard]] Rank step_count() const { return steps_; }

  /// CS[sender, step - 1]: to whom `sender` sends in `step`, from 1.
  [[nodiscard]] Rank receiver(Rank sender, Rank step) const;

 private:
  Rank senders_;
  Rank receivers_;
  Rank beta_;          ///< modulo the receivers
  Rank groups_apart_;  ///< g2
  Rank width_;         ///< w
  Rank alike_;         ///< T: the next sender with the same receivers is so much further
  Rank steps_;
};

}  // namespace shunt
