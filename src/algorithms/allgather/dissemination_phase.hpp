// Dissemination: what each rank holds comes to all, in windows that double.
#pragma once

#include "algorithms/allgather/phase.hpp"

namespace shunt {

/// In stage i, rank r passes on what the ranks r, r + 1, .. of a window held, to rank r - 2^i: the
/// window has 2^i ranks, in the last stage those that are left (Bruck et al. 1997, concatenation).
class DisseminationPhase final : public Phase {
 public:
  explicit DisseminationPhase(Rank ranks) : ranks_(ranks) {}

  [[nodiscard]] int stages() const override;
  [[nodiscard]] std::string stage_name(int stage) const override;
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override;
  [[nodiscard]] int step_count(int /*stage*/) const override { return 1; }
  void origins(int stage, Rank rank, std::vector<Rank>& origins) const override;
  [[nodiscard]] Volumes volumes(int stage, const Volumes& held,
                                const Volumes& before) const override;

 private:
  [[nodiscard]] Rank window(int stage) const;

  Rank ranks_;
};

}  // namespace shunt
