// An all-gather that is a row of phases.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/allgather.hpp"
#include "algorithms/allgather/phase.hpp"

namespace shunt {

using Phases = std::vector<std::unique_ptr<const Phase>>;

/// An all-gather in which each source holds its block at the beginning and the phases say whose
/// holdings go where. A message leaves out what its receiver has already: its own block, and parts
/// of a dealt block that it has passed on.
class PhasedAllgather final : public Allgather {
 public:
  /// If `dealt` is a source, its block is cut into one part for each rank, and what a rank holds in
  /// the first phase includes its part, which that phase deals. `port_contention_free_on` promises
  /// that for `spared`: the caller knows that it holds.
  PhasedAllgather(std::string name, Sources sources, Phases phases, Rank dealt = kNoRank,
                  std::shared_ptr<const Machine> spared = nullptr);

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] int stages() const override { return static_cast<int>(places_.size()); }
  [[nodiscard]] std::string stage_name(int stage) const override;
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override;
  [[nodiscard]] int step_count(int stage) const override;
  void shares(int stage, Rank from, Rank to, std::vector<Share>& shares) const override;
  [[nodiscard]] bool spreads_in_nodes(int stage) const override {
    return phases_[place(stage).phase]->spreads_in_nodes(place(stage).stage);
  }
  [[nodiscard]] const Machine* port_contention_free_on() const override { return spared_.get(); }
  [[nodiscard]] double predict(const LinkCost& cost) const override;

 private:
  /// Where a stage is: which stage of which phase.
  struct Place {
    std::size_t phase;
    int stage;
  };

  [[nodiscard]] const Place& place(int stage) const {
    return places_[static_cast<std::size_t>(stage)];
  }

  /// The part of the dealt block that is for `rank`.
  [[nodiscard]] Share part_for(Rank rank) const;

  /// Calls `use` with each share that `rank` passes on there, in any order, without what `receiver`
  /// has, until it returns false; returns whether it never did. `pending` is memory to work in, as
  /// it was afterwards.
  template <class Use>
  bool for_each_share(Place place, Rank rank, Rank receiver, bool only_parts,
                      std::vector<Rank>& pending, const Use& use) const;

  /// Calls `use` with what `origin` holds at the beginning of the first phase, as for_each_share
  /// does.
  template <class Use>
  bool use_own(Rank origin, Rank receiver, bool only_parts, const Use& use) const;
  [[nodiscard]] bool supports_pair(int stage, Rank from, Rank to) const;

  std::string name_;
  Phases phases_;
  std::vector<Place> places_;  ///< by stage
  Rank dealt_;
  std::shared_ptr<const Machine> spared_;
};

}  // namespace shunt
