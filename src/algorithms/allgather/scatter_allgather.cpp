#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "algorithms/allgather/allgathers.hpp"
#include "algorithms/allgather/dissemination_phase.hpp"
#include "algorithms/allgather/phased.hpp"

namespace shunt {

namespace {

/// A binomial tree that deals one part to each rank: whoever has the parts for a segment of ranks,
/// places counted from `root`, sends those for the second half of it to the first rank there.
class ScatterPhase final : public Phase {
 public:
  ScatterPhase(Rank ranks, Rank root)
      : ranks_(ranks), root_(root), received_(static_cast<std::size_t>(ranks), 0) {
    receive({0, ranks});
  }

  [[nodiscard]] int stages() const override {
    return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(ranks_ - 1)));
  }
  [[nodiscard]] std::string stage_name(int stage) const override {
    return fmt::format("scatter the longest block, {}", stage + 1);
  }

  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override {
    const Segment segment = segment_of(stage, rank);
    const Rank place = place_of(rank);
    if (segment.size == 1) return {};
    if (place == segment.begin) return {{1, rank_at(segment.middle()), kNoRank}};
    if (place == segment.middle()) return {{1, kNoRank, rank_at(segment.begin)}};
    return {};
  }
  [[nodiscard]] int step_count(int /*stage*/) const override { return 1; }

  [[nodiscard]] bool deals_parts() const override { return true; }

  [[nodiscard]] bool comes_by(Rank other, Rank rank) const override {
    const Rank ahead = place_of(other) - place_of(rank);
    return ahead >= 0 && ahead < received_[static_cast<std::size_t>(place_of(rank))];
  }

  void origins(int stage, Rank rank, std::vector<Rank>& origins) const override {
    if (stage == stages()) {
      origins.push_back(rank);
      return;
    }
    const Segment segment = segment_of(stage, rank);
    if (place_of(rank) != segment.begin) return;
    for (Rank place = segment.middle(); place < segment.begin + segment.size; ++place) {
      origins.push_back(rank_at(place));
    }
  }

 private:
  struct Segment {
    Rank begin;
    Rank size;

    [[nodiscard]] Rank middle() const { return begin + (size - size / 2); }
  };

  [[nodiscard]] Rank place_of(Rank rank) const {
    return rank >= root_ ? rank - root_ : rank - root_ + ranks_;
  }
  [[nodiscard]] Rank rank_at(Rank place) const {
    return place < ranks_ - root_ ? root_ + place : place - (ranks_ - root_);
  }

  [[nodiscard]] Segment segment_of(int stage, Rank rank) const {
    Segment segment{0, ranks_};
    for (int level = 0; level < stage; ++level) {
      const Rank second = segment.size / 2;
      segment = place_of(rank) < segment.middle() ? Segment{segment.begin, segment.size - second}
                                                  : Segment{segment.middle(), second};
    }
    return segment;
  }

  /// Enters what the first place of a segment receives, and so on in its halves.
  void receive(const Segment& segment) {
    received_[static_cast<std::size_t>(segment.begin)] =
        std::max(received_[static_cast<std::size_t>(segment.begin)], segment.size);
    if (segment.size == 1) return;
    receive({segment.begin, segment.size - segment.size / 2});
    receive({segment.middle(), segment.size / 2});
  }

  Rank ranks_;
  Rank root_;
  std::vector<Rank> received_;  ///< by place: the parts that come to it, for itself and those ahead
};

}  // namespace

std::unique_ptr<Allgather> make_scatter_allgather(Sources sources) {
  const Rank longest = sources.longest();
  const bool pays = longest != kNoRank && sources.length(longest) > sources.total() / 2;
  Phases phases;
  if (pays) phases.push_back(std::make_unique<ScatterPhase>(sources.ranks(), longest));
  phases.push_back(std::make_unique<DisseminationPhase>(sources.ranks()));
  return std::make_unique<PhasedAllgather>("scatter-allgather", std::move(sources),
                                           std::move(phases), pays ? longest : kNoRank);
}

}  // namespace shunt
