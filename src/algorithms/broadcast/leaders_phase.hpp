// What all ranks of a node hold comes to all other nodes, through one rank of each.
#pragma once

#include <string>
#include <vector>

#include "algorithms/broadcast/halving_phase.hpp"
#include "algorithms/broadcast/lines.hpp"
#include "algorithms/broadcast/phase.hpp"

namespace shunt {

/// The first rank of each node is its leader. All ranks of a node hold the same at the beginning.
/// Recursive halving of the line of leaders, and then each leader tells the others of its node what
/// it has received, directly.
class LeadersPhase final : public Phase {
 public:
  LeadersPhase(Rank ranks, const RankLists& nodes);

  [[nodiscard]] int stages() const override { return halving_.stages() + 1; }
  [[nodiscard]] std::string stage_name(int stage) const override;
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override;
  [[nodiscard]] int step_count(int stage) const override;
  void origins(int stage, Rank rank, std::vector<Rank>& origins) const override;
  [[nodiscard]] Volumes volumes(int stage, const Volumes& held,
                                const Volumes& before) const override;
  [[nodiscard]] bool spreads_in_nodes(int stage) const override { return is_last(stage); }

 private:
  [[nodiscard]] bool is_last(int stage) const { return stage == halving_.stages(); }
  [[nodiscard]] bool leads(Rank rank) const { return nodes_.place(rank) == 0; }

  Lines nodes_;
  std::vector<Rank> leaders_;
  HalvingPhase halving_;
};

}  // namespace shunt
