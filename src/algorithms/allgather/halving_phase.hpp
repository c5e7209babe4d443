// Recursive halving as a phase: along each line, everything that its ranks hold comes to all of
// them.
#pragma once

#include "algorithms/allgather/lines.hpp"
#include "algorithms/allgather/phase.hpp"

namespace shunt {

/// Recursive halving of all lines at the same time (schedule/halving.hpp).
class HalvingPhase final : public Phase {
 public:
  /// `where` is for the name of the stages: "in rows".
  HalvingPhase(Lines lines, std::string where)
      : lines_(std::move(lines)), where_(std::move(where)) {}

  [[nodiscard]] int stages() const override;
  [[nodiscard]] std::string stage_name(int stage) const override;
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override;
  [[nodiscard]] int step_count(int stage) const override;
  void origins(int stage, Rank rank, std::vector<Rank>& origins) const override;
  [[nodiscard]] Volumes volumes(int stage, const Volumes& held,
                                const Volumes& before) const override;

 private:
  Lines lines_;
  std::string where_;
};

}  // namespace shunt
