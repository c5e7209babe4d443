// Who sends to whom, and when, in the redistribution of a long array from any block-cyclic
// distribution to any other. Guo, Nakata, Yamashita 2000, Section 4, where one block size divides
// the other; here for all, in the least number of steps.
#pragma once

#include <vector>

#include "model/ldd.hpp"
#include "schedule/step.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// One side of a redistribution: blocks of `block` indices go in turn to `places` places.
struct Dealing {
  Rank places;
  Index block;
};

/// A place sends at most one message in a step, and one receives at most one; there are as many
/// steps as the busiest place of either side has messages, which is the least (Koenig). The places
/// of each side are counted from that of its first block. The array is so long that all that can
/// meet does.
///
/// Sender i and receiver j meet in classes: j's block lies `delta` behind one of i's, for delta =
/// least_ + q * apart_, 0 <= q < classes_. Senders with the same classes follow each other at
/// distance `turn`; i is number x = i / turn of them, and likewise receiver j number y. The step is
/// a function of q, x and y. A place finds its messages in time proportional to their number; but
/// where neither closed form of the steps applies, whoever makes the schedule colours a graph of at
/// most places * places edges.
class BlockCyclicSchedule {
 public:
  /// `shift`: so many indices the first block of `to` begins behind that of `from`. Throws
  /// Error(count) as `block_stride` does.
  BlockCyclicSchedule(const Dealing& from, const Dealing& to, Index shift = 0);

  [[nodiscard]] int step_count() const { return step_count_; }

  /// COM[sender, receiver].
  [[nodiscard]] bool meet(Rank sender, Rank receiver) const;

  /// The steps in which a place sends, or receives, ascending.
  [[nodiscard]] std::vector<Step> sends(Rank sender) const;
  [[nodiscard]] std::vector<Step> receives(Rank receiver) const;

 private:
  /// What the classes look like from one side.
  struct Side {
    Rank places;
    Index block;
    Index alike;       ///< e: a place has the classes whose deltas are alike modulo this
    Index classes;     ///< f: this many of them follow each other until a place has one again
    Index turn;        ///< r: places until one has the same classes again
    Index companions;  ///< m: places with the same classes
  };
  /// How steps are numbered: in turn, where everybody meets everybody; by a Latin square of
  /// companions for each turn of the classes, where the side with fewer classes has more
  /// companions; along the list of what one side does, where its places have all classes; by
  /// colours of the graph of classes and companions elsewhere.
  enum class Rule { everybody, grid, list, coloured };

  /// The side with more classes and more companions, and the other one, for the last two rules.
  struct Roles {
    const Side& more;
    const Side& fewer;
    bool swapped;  ///< the receivers are `more`
  };

  static Side side(const Dealing& dealing, Index period);
  [[nodiscard]] Rule choose_rule() const;
  [[nodiscard]] Roles roles() const;
  void colour_classes();

  /// Calls `visit(q, place)` for all places of `other` that one meets whose first block is at
  /// `begin`; `sign` is 1 for a sender, -1 for a receiver.
  template <class Visit>
  void for_each_met(const Side& other, Index begin, int sign, Visit&& visit) const;
  [[nodiscard]] int step_of(Index q, Index x, Index y) const;
  /// The same from 0, with x of the side with more.
  [[nodiscard]] Index place_in_list(Index q, Index x, Index y) const;
  [[nodiscard]] Index colour(Index q, Index x, Index y) const;

  Side from_;
  Side to_;
  Index shift_;
  Index period_;   ///< g
  Index apart_;    ///< eps
  Index least_;    ///< dmin
  Index classes_;  ///< n
  Rule rule_;
  int step_count_ = 0;
  std::vector<int> colours_;  ///< of the last rule: steps by class and companions
};

}  // namespace shunt
