// The common form of the algorithms that never cut a stream: each stage hands it to one rank.
#pragma once

#include <memory>
#include <utility>

#include "algorithms/algorithm.hpp"
#include "model/machine.hpp"

namespace shunt {

/// The most bytes that the blocks of `sources` ranks for `destinations` ranks have together.
[[nodiscard]] Bytes largest_box(const TrafficBound& traffic, Bytes sources, Bytes destinations);

class WholeStreams : public Algorithm {
 public:
  void route(int stage, Rank at, Rank destination, Bytes length,
             std::vector<Piece>& pieces) const final;
  [[nodiscard]] RecordRule record_rule(int stage, Rank at) const final;

  /// Start-ups, and the bytes that the busiest rank receives and passes on, at most: a model of
  /// equal ports, one per rank, without what the ranks of a node share.
  [[nodiscard]] double predict(const Loads& loads, const LinkCost& cost) const final;

 private:
  /// The rank to which `at` hands what it holds for `destination`. Defined also where it can hold
  /// nothing.
  [[nodiscard]] virtual Rank next(int stage, Rank at, Rank destination) const = 0;

  /// Ranks among which are those of the largest bounds.
  [[nodiscard]] virtual std::vector<Rank> extremes() const { return {0}; }
};

/// One stage, in which every rank hands each other rank its block. What remains is the order.
class OneStage : public WholeStreams {
 public:
  [[nodiscard]] int stages() const final { return 1; }
  [[nodiscard]] std::string stage_name(int /*stage*/) const final { return "exchange"; }
  [[nodiscard]] StageBound bound(int stage, Rank rank, const TrafficBound& traffic) const final;

 private:
  [[nodiscard]] Rank next(int /*stage*/, Rank /*at*/, Rank destination) const final {
    return destination;
  }
};

/// Stages inside nodes and between them.
class NodeStreams : public WholeStreams {
 public:
  explicit NodeStreams(std::shared_ptr<const Machine> machine)
      : machine_(std::move(machine)),
        smallest_node_(machine_->smallest_node()),
        largest_node_(machine_->largest_node()) {}

  [[nodiscard]] Rank ranks() const final { return machine_->ranks(); }

 protected:
  [[nodiscard]] const Machine& machine() const { return *machine_; }
  /// Ranks of the smallest and of the largest node.
  [[nodiscard]] Rank smallest() const { return machine_->size_of(smallest_node_); }
  [[nodiscard]] Rank largest() const { return machine_->size_of(largest_node_); }

 private:
  /// The first ranks of these nodes: more comes to no other in its node.
  [[nodiscard]] std::vector<Rank> extremes() const final {
    return {machine_->ranks_of(smallest_node_).front(), machine_->ranks_of(largest_node_).front()};
  }

  std::shared_ptr<const Machine> machine_;
  Rank smallest_node_;
  Rank largest_node_;
};

}  // namespace shunt
