// The schedule of node-pairwise: pairs of nodes, and pairs of their ranks within these.
#pragma once

#include <memory>
#include <vector>

#include "model/machine.hpp"
#include "schedule/factor.hpp"
#include "schedule/step.hpp"

namespace shunt {

/// The hierarchical factor algorithm of Sanders and Traff 2002, Section 3: one message for each
/// pair of ranks, on nodes of any sizes, none of which ever takes part in two exchanges with other
/// nodes in one step.
///
/// Nodes are ordered by size. A phase deals with the ranks of places [done, current) of each active
/// node, where `current` is the size of the smallest; then the nodes of that size are through. In
/// each round of a phase the active nodes are paired as a factor says, and the ranks of the phase
/// of the smaller node meet all ranks of the other one, one pair a step. A round takes
/// (current - done) n steps, where n is the size of the largest node.
class NodePairing {
 public:
  enum class Form {
    /// The algorithm of Fig. 2: a node paired with itself moves its own messages one at a time.
    printed,
    /// The algorithm with Section 4's hint worked out: an even number of active nodes is paired
    /// without loops, and a lone node takes no round. The messages inside a node, which all its
    /// ranks exchange in parallel, take the node's first round with itself; where there is none
    /// they follow its last round.
    improved
  };

  /// Throws Error(argument) where the steps exceed an int.
  NodePairing(std::shared_ptr<const Machine> machine, Form form);

  /// The steps of `rank`, ascending: O(ranks) time and memory.
  [[nodiscard]] std::vector<Step> steps(Rank rank) const;

  [[nodiscard]] int step_count() const { return steps_; }

  /// Steps of all rounds: all but those after the last round in which messages inside nodes are
  /// left to be moved.
  [[nodiscard]] int round_steps() const { return round_steps_; }

  /// Rounds of each phase.
  [[nodiscard]] std::vector<Rank> rounds() const;

  [[nodiscard]] const Machine& machine() const { return *machine_; }

 private:
  struct Phase {
    Rank first;    ///< position of the smallest active node in the order of sizes
    Rank done;     ///< ranks of lower places have met all others
    Rank current;  ///< ranks of lower places will have
    Rank rounds;
    Factors factors;  ///< of the active nodes, by position from `first`
    Bytes before;     ///< steps of the phases before
  };

  /// A rank as its node's rounds see it.
  struct Place {
    Rank node;
    Rank position;  ///< of the node in the order of sizes
    Rank local;     ///< place of the rank in its node
  };

  [[nodiscard]] Rank size_at(Rank position) const { return machine_->size_of(node_at(position)); }
  [[nodiscard]] Rank node_at(Rank position) const {
    return order_[static_cast<std::size_t>(position)];
  }
  [[nodiscard]] Bytes steps_of_round(const Phase& phase) const {
    return Bytes{phase.current - phase.done} * largest_;
  }

  void order_nodes();
  void make_phases();

  void append_pairs(const Phase& phase, const Place& place, Rank other, Bytes before,
                    std::vector<Step>& steps) const;
  void append_one_by_one(const Phase& phase, const Place& place, Bytes before,
                         std::vector<Step>& steps) const;
  void append_inside(const Place& place, Bytes before, std::vector<Step>& steps) const;

  std::shared_ptr<const Machine> machine_;
  Form form_;
  std::vector<Rank> order_;     ///< nodes by size
  std::vector<Rank> position_;  ///< by node: its place in `order_`
  Rank largest_ = 0;            ///< ranks of the largest node
  std::vector<Phase> phases_;
  int round_steps_ = 0;
  int steps_ = 0;
};

}  // namespace shunt
