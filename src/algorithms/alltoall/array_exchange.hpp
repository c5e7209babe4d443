// The common form of the algorithms of Liu 2002 and of their generalisation: row exchanges down a
// hierarchy of node arrays, once to spread the data evenly, once to collect it.
#pragma once

#include "algorithms/algorithm.hpp"
#include "algorithms/alltoall/array_bounds.hpp"
#include "schedule/hierarchy.hpp"

namespace shunt {

enum class Spread {
  none,   ///< data goes straight towards its destination
  evenly  ///< every destination's data is first spread evenly over all ranks
};

class ArrayExchange : public Algorithm {
 public:
  ArrayExchange(std::string name, Hierarchy hierarchy, Spread spread, Bytes grain);

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] Rank ranks() const override { return hierarchy_.ranks(); }
  [[nodiscard]] int stages() const override { return distributions() + hierarchy_.levels(); }
  [[nodiscard]] std::string stage_name(int stage) const override;
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override;
  [[nodiscard]] int step_count(int stage) const override;
  void route(int stage, Rank at, Rank destination, Bytes length,
             std::vector<Piece>& pieces) const override;
  [[nodiscard]] RecordRule record_rule(int stage, Rank at) const override;
  [[nodiscard]] StageBound bound(int stage, Rank rank, const TrafficBound& traffic) const override;
  /// Where every row of every level is complete, the ranks are an array of as many dimensions.
  [[nodiscard]] std::optional<Symmetry> symmetry() const override;
  [[nodiscard]] double predict(const Loads& loads, const LinkCost& cost) const override;

  [[nodiscard]] const Hierarchy& hierarchy() const { return hierarchy_; }

 protected:
  /// Stages before the first that collects.
  [[nodiscard]] int distributions() const {
    return spread_ == Spread::evenly ? hierarchy_.levels() : 0;
  }

 private:
  [[nodiscard]] StageBound bound(int stage, Rank rank, const TrafficBound& traffic,
                                 Rounding rounding) const;
  [[nodiscard]] bool distributes(int stage) const { return stage < distributions(); }
  [[nodiscard]] int level_of(int stage) const {
    return distributes(stage) ? stage : stage - distributions();
  }

  std::string name_;
  Hierarchy hierarchy_;
  Spread spread_;
  Bytes grain_;
};

}  // namespace shunt
