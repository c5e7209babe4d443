// All-gathers that go through several ranks of each node at the same time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/allgather.hpp"
#include "algorithms/allgather/direct_phase.hpp"
#include "algorithms/allgather/phase.hpp"
#include "model/machine.hpp"

namespace shunt {

/// One of the pieces into which what the sources of a node have together is cut.
struct NodePiece {
  Rank origin;   ///< the node
  Bytes number;  ///< from 0
};

/// How what each node has comes to all other nodes: a pattern of messages between nodes, which all
/// lanes follow at the same time. Each piece comes to each node but its origin once.
class NodePattern {
 public:
  virtual ~NodePattern() = default;

  /// Into how many pieces what `node` has is cut.
  [[nodiscard]] virtual Bytes pieces_of(Rank node) const = 0;

  [[nodiscard]] virtual int stages() const = 0;
  [[nodiscard]] virtual std::string stage_name(int stage) const = 0;
  [[nodiscard]] virtual int step_count(int stage) const = 0;

  /// From node to node, if all nodes have something.
  [[nodiscard]] virtual std::vector<Step> steps(int stage, Rank node) const = 0;

  /// Appends what `node` passes on in `stage`, equal for all nodes that it sends to.
  virtual void append_passed_on(int stage, Rank node, std::vector<NodePiece>& pieces) const = 0;

  /// Seconds, if each node has that many bytes of a lane.
  [[nodiscard]] virtual double predict(const Volumes& bytes, const LinkCost& cost) const = 0;
};

/// Returns, by node, the bytes that the sources of a node have together.
[[nodiscard]] Volumes bytes_by_node(const Sources& sources, const Machine& machine);

/// An all-gather in which each block first goes to all ranks of its node. What a node has then is
/// cut into equal parts, one for each lane, whichever ranks are sources; lane k goes through the
/// ranks at place k of each node, by the pattern. These ranks pass on what comes to all ranks of
/// their nodes.
class LanedAllgather final : public Allgather {
 public:
  /// No node has fewer ranks than `lanes`. The ranks of lanes pass on what came to their nodes
  /// after every `period` stages between nodes, while the next stage is under way; where `period`
  /// is 0, once all has come.
  LanedAllgather(std::string name, Sources sources, std::shared_ptr<const Machine> machine,
                 Rank lanes, std::unique_ptr<const NodePattern> pattern, int period);

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] int stages() const override {
    return machine_->nodes() == 1 ? 1 : pattern_->stages() + 2;
  }
  [[nodiscard]] std::string stage_name(int stage) const override;
  [[nodiscard]] int step_count(int stage) const override;
  [[nodiscard]] bool spreads_in_nodes(int stage) const override {
    return is_first(stage) || tells(stage);
  }
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override;
  void shares(int stage, Rank from, Rank to, std::vector<Share>& shares) const override;
  [[nodiscard]] double predict(const LinkCost& cost) const override;

 private:
  /// The bytes [begin, end) of those that `node` has.
  struct Range {
    Rank node;
    Bytes begin;
    Bytes end;
  };

  [[nodiscard]] static bool is_first(int stage) { return stage == 0; }
  [[nodiscard]] bool is_last(int stage) const { return stage > 0 && stage == stages() - 1; }
  /// Whether there are messages between nodes.
  [[nodiscard]] bool is_between(int stage) const { return !is_first(stage) && !is_last(stage); }
  /// Whether the ranks of lanes pass something on to their nodes.
  [[nodiscard]] bool tells(int stage) const {
    return is_last(stage) || (period_ > 0 && stage > 1 && (stage - 1) % period_ == 0);
  }

  [[nodiscard]] std::vector<Step> all_steps(int stage, Rank rank) const;
  [[nodiscard]] std::vector<Range> ranges(int stage, Rank from, Rank to) const;
  void append_told(int stage, Rank node, std::vector<NodePiece>& pieces) const;
  [[nodiscard]] Range range_of(const NodePiece& piece, Rank lane) const;
  [[nodiscard]] bool sends(int stage, Rank from, Rank to) const;
  void append_shares(const Range& range, std::vector<Share>& shares) const;

  std::string name_;
  std::shared_ptr<const Machine> machine_;
  DirectPhase in_nodes_;
  Rank lanes_;
  std::unique_ptr<const NodePattern> pattern_;
  int period_;
  Volumes bytes_;  ///< by node
};

}  // namespace shunt
