// Guo, Nakata, Yamashita 2000, Section 4.3, Algorithm 2: several dimensions, as published.
#pragma once

#include <vector>

#include "schedule/block_cyclic_classes.hpp"
#include "schedule/place_grid.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// The schedule of a long array in each of whose dimensions the blocks of one side are beta times
/// as long as those of the other. A sender's receivers along a dimension lie in a ring, from the
/// one that has the first index of its first block; senders for which that is the same are alike,
/// and counted. A sender goes through the product of its rings, the last one fastest, and begins as
/// many places further as its numbers say, also where these are more than a ring has places
/// ("compound" tables, step 2.2).
///
/// The schedule is free of contention where in each dimension the senders' blocks are the longer
/// ones and the receivers no fewer. Otherwise it may be or not, as published: on 2x2 places to 4x1,
/// the first dimension CYCLIC(4) to CYCLIC, senders (0, 1) and (1, 0) of one receiver's column
/// begin at the same receiver.
class GuoGridSchedule {
 public:
  struct Axis {
    Dealing from;
    Dealing to;
  };

  /// Throws Error(argument) where in some dimension neither block is a multiple of the other, or
  /// where a receiver has more messages than a sender: the algorithm has as many steps as a sender.
  explicit GuoGridSchedule(const std::vector<Axis>& axes);

  [[nodiscard]] Rank senders() const { return from_.places(); }
  [[nodiscard]] Rank receivers() const { return to_.places(); }
  /// K: how many receivers each sender has.
  [[nodiscard]] Rank step_count() const { return steps_; }

  /// CS[sender, .]: to whom a place sends, step by step. Places are numbered row by row.
  [[nodiscard]] std::vector<Rank> receivers_of(Rank sender) const;

  /// Whether no place ever receives from two in one step. Costs O(messages).
  [[nodiscard]] bool is_free_of_contention() const;

 private:
  /// The schedule along one dimension.
  struct Along {
    Axis axis;
    BlockCyclicClasses classes;

    [[nodiscard]] Rank first_receiver(Rank sender) const;
    [[nodiscard]] Rank number_among_alike(Rank sender) const;
    [[nodiscard]] std::vector<Rank> ring(Rank sender) const;
  };

  std::vector<Along> dimensions_;
  PlaceGrid from_;
  PlaceGrid to_;
  Rank steps_ = 1;
};

}  // namespace shunt
