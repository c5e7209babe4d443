#include <algorithm>

#include "algorithms/allgather/array_groups.hpp"
#include "algorithms/allgather/move_phase.hpp"

namespace shunt {

namespace {

constexpr PatternNames kPartitionNames{"partition", "partition-by-source", "partition-by-shape"};

/// Every rank of the first group exchanges what it holds with one of the second, the one in the
/// same place; within a group all hold the same. Where the first group is larger, the others of it
/// hear from the second in one more step.
class ExchangePhase final : public Phase {
 public:
  /// The groups together are all ranks; the first is not the smaller one, the second not empty.
  ExchangePhase(std::vector<Rank> first, std::vector<Rank> second)
      : first_(std::move(first)),
        second_(std::move(second)),
        place_(first_.size() + second_.size()),
        is_in_first_(place_.size(), false) {
    for (std::size_t place = 0; place < first_.size(); ++place) {
      place_[index_of(first_[place])] = place;
      is_in_first_[index_of(first_[place])] = true;
    }
    for (std::size_t place = 0; place < second_.size(); ++place) {
      place_[index_of(second_[place])] = place;
    }
  }

  [[nodiscard]] int stages() const override { return 1; }
  [[nodiscard]] std::string stage_name(int /*stage*/) const override {
    return "exchange between the halves";
  }

  [[nodiscard]] std::vector<Step> steps(int /*stage*/, Rank rank) const override {
    const std::size_t place = place_[index_of(rank)];
    const std::size_t pairs = second_.size();
    if (is_in_first_[index_of(rank)]) {
      const Rank partner = second_[place % pairs];
      const auto turn = static_cast<int>(place / pairs);
      return {{turn + 1, turn == 0 ? partner : kNoRank, partner}};
    }
    std::vector<Step> steps;
    for (std::size_t of_first = place; of_first < first_.size(); of_first += pairs) {
      const auto turn = static_cast<int>(of_first / pairs);
      steps.push_back({turn + 1, first_[of_first], turn == 0 ? first_[of_first] : kNoRank});
    }
    return steps;
  }

  [[nodiscard]] int step_count(int /*stage*/) const override {
    return static_cast<int>((first_.size() - 1) / second_.size()) + 1;
  }

  void origins(int stage, Rank rank, std::vector<Rank>& origins) const override {
    origins.push_back(rank);
    if (stage == 0) return;
    for (const Step& step : steps(0, rank)) {
      if (step.from != kNoRank) origins.push_back(step.from);
    }
  }

 private:
  std::vector<Rank> first_;
  std::vector<Rank> second_;
  std::vector<std::size_t> place_;  ///< by rank: in its group
  std::vector<bool> is_in_first_;
};

/// The sources that the first group is given: in proportion, and as many as fit into both.
Rank share_of_first(const ArrayGroup& first, const Sources& sources) {
  const Bytes ranks = sources.ranks();
  const Bytes size = first.array.ranks();
  const Bytes rounded = (2 * size * sources.count() + ranks) / (2 * ranks);
  return static_cast<Rank>(std::clamp(rounded, sources.count() - (ranks - size), size));
}

}  // namespace

std::unique_ptr<Allgather> make_partition(ArrayPattern pattern, const Extents& array,
                                          Sources sources) {
  const std::vector<ArrayGroup> groups = ArrayGroup::halves(array);
  const Rank in_first = share_of_first(groups.front(), sources);
  std::vector<Rank> places = ideal_places(pattern, groups.front(), in_first);
  if (groups.size() > 1) {
    const auto in_second = ideal_places(pattern, groups.back(), sources.count() - in_first);
    places.insert(places.end(), in_second.begin(), in_second.end());
  }
  std::vector<bool> holds(sources.lengths().size(), false);
  for (const Rank place : places) holds[static_cast<std::size_t>(place)] = true;
  Phases phases;
  phases.push_back(std::make_unique<MovePhase>(move_to(sources, places), "reposition the sources"));
  append_spreading(pattern, groups, holds, phases);
  if (groups.size() > 1) {
    phases.push_back(
        std::make_unique<ExchangePhase>(groups.front().members, groups.back().members));
  }
  return std::make_unique<PhasedAllgather>(pattern_name(kPartitionNames, pattern, array),
                                           std::move(sources), std::move(phases));
}

}  // namespace shunt
