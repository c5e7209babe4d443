// Which places meet in the redistribution of a long array from any block-cyclic distribution to any
// other, in closed form.
#pragma once

#include "model/modular.hpp"
#include "schedule/edge_colouring.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// The source or the target of a redistribution: blocks of `block` indices go round `places`
/// places.
struct Dealing {
  Rank places;
  Index block;
};

/// The pairs of places that meet. The places of each side are counted from that of its first block.
/// The array is so long that all places meet that can.
///
/// Sender i and receiver j meet in classes: j's block lies `delta` behind one of i's, for delta =
/// least_ + q * apart_, 0 <= q < classes_. Senders with the same classes follow each other at
/// distance `turn`; i is number x = i / turn of them, and receiver j number y of the receivers with
/// its classes. Where all places meet all, there is one class.
class BlockCyclicClasses {
 public:
  /// What the classes look like from one side.
  struct Side {
    Rank places;
    Index block;
    Index alike;       ///< e: a place has the classes whose deltas are alike modulo this
    Index classes;     ///< f: this many of them follow each other until a place has one again
    Index turn;        ///< r: places until one has the same classes again
    Index companions;  ///< m: places with the same classes
  };

  /// `shift`: how many indices the first block of `to` begins behind that of `from`. Throws
  /// Error(count) as `block_stride` does.
  BlockCyclicClasses(const Dealing& from, const Dealing& to, Index shift = 0);

  [[nodiscard]] const Side& from() const { return from_; }
  [[nodiscard]] const Side& to() const { return to_; }
  [[nodiscard]] Index classes() const { return classes_; }

  /// The most receivers that a sender has (`most_sends`), or senders that a receiver has
  /// (`most_receives`).
  [[nodiscard]] Rank most_sends() const;
  [[nodiscard]] Rank most_receives() const;
  /// The number of pairs that meet.
  [[nodiscard]] Index meetings() const;

  /// COM[sender, receiver]: whether the two places meet.
  [[nodiscard]] bool meet(Rank sender, Rank receiver) const;

  /// Calls `visit(q, receiver)` for all receivers of `sender`, or `visit(q, sender)` for all
  /// senders to `receiver`, with the class q. Costs O(calls).
  template <class Visit>
  void for_each_receiver(Rank sender, Visit&& visit) const {
    for_each_met(to_, sender * from_.block, 1, visit);
  }
  template <class Visit>
  void for_each_sender(Rank receiver, Visit&& visit) const {
    for_each_met(from_, receiver * to_.block, -1, visit);
  }

  /// The classes as a graph: an edge for each and for the companions on both sides, as far as
  /// `quotient_edge` tells them apart.
  [[nodiscard]] Quotient quotient() const;
  [[nodiscard]] QuotientEdge quotient_edge(Index q, Index x, Index y) const;

 private:
  /// The places of `other` that one meets whose first block is at `begin`; `sign` is 1 for a
  /// sender, -1 for a receiver.
  template <class Visit>
  void for_each_met(const Side& other, Index begin, int sign, const Visit& visit) const {
    if (everybody_) {
      for (Rank place = 0; place < other.places; ++place) visit(Index{0}, place);
      return;
    }
    const Index target = begin - sign * shift_;
    const Index inverse = inverse_modulo(other.block / other.alike, other.turn);
    Index delta = least_ + modulo(-sign * target - least_, other.alike);
    for (; delta < from_.block; delta += other.alike) {
      const Index number = modulo((target + sign * delta) / other.alike, other.turn);
      const Index first = product_modulo(number, inverse, other.turn);
      for (Index place = first; place < other.places; place += other.turn) {
        visit((delta - least_) / apart_, static_cast<Rank>(place));
      }
    }
  }

  Side from_;
  Side to_;
  Index shift_;
  Index period_;  ///< g
  bool everybody_;
  Index apart_;    ///< eps
  Index least_;    ///< dmin
  Index classes_;  ///< n
  Index copies_;   ///< mu: what the numbers of companions have in common
};

}  // namespace shunt
