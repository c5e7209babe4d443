// What all ranks of a node hold comes to all other nodes, through one rank of each.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/allgather/lines.hpp"
#include "algorithms/allgather/phase.hpp"

namespace shunt {

/// A phase between the leaders of nodes, which are their first ranks. All ranks of a node hold the
/// same at the beginning. First some phase runs on the line of leaders, after which each of them
/// has everything; then each leader sends what it has received to the others of its node, directly.
class LeadersPhase final : public Phase {
 public:
  /// `between` is on the line `leaders_of(ranks, nodes)`.
  LeadersPhase(Rank ranks, const RankLists& nodes, std::unique_ptr<const Phase> between);

  [[nodiscard]] static Lines leaders_of(Rank ranks, const RankLists& nodes);

  [[nodiscard]] int stages() const override { return between_->stages() + 1; }
  [[nodiscard]] std::string stage_name(int stage) const override;
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override;
  [[nodiscard]] int step_count(int stage) const override;
  void origins(int stage, Rank rank, std::vector<Rank>& origins) const override;
  [[nodiscard]] Volumes volumes(int stage, const Volumes& held,
                                const Volumes& before) const override;
  [[nodiscard]] bool spreads_in_nodes(int stage) const override { return is_last(stage); }

 private:
  [[nodiscard]] bool is_last(int stage) const { return stage == between_->stages(); }
  [[nodiscard]] bool leads(Rank rank) const { return nodes_.place(rank) == 0; }

  Lines nodes_;
  std::vector<Rank> leaders_;
  std::unique_ptr<const Phase> between_;
};

}  // namespace shunt
