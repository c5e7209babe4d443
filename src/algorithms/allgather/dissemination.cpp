#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "algorithms/allgather/allgathers.hpp"
#include "algorithms/allgather/phased.hpp"
#include "schedule/halving.hpp"

namespace shunt {

namespace {

/// In stage i, rank r passes on what the ranks r, r + 1, .. of a window held, to rank r - 2^i: the
/// window has 2^i ranks, in the last stage those that are left (Bruck et al. 1997, concatenation).
class DisseminationPhase final : public Phase {
 public:
  explicit DisseminationPhase(Rank ranks) : ranks_(ranks) {}

  [[nodiscard]] int stages() const override {
    return static_cast<int>(std::bit_width(static_cast<std::uint32_t>(ranks_ - 1)));
  }
  [[nodiscard]] std::string stage_name(int stage) const override {
    return fmt::format("pass on over {}", Bytes{1} << stage);
  }
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override {
    const Bytes distance = Bytes{1} << stage;
    return {{1, static_cast<Rank>((rank - distance + ranks_) % ranks_),
             static_cast<Rank>((rank + distance) % ranks_)}};
  }
  [[nodiscard]] int step_count(int /*stage*/) const override { return 1; }

  void origins(int stage, Rank rank, std::vector<Rank>& origins) const override {
    for (Rank k = 0; k < window(stage); ++k) {
      origins.push_back(rank < ranks_ - k ? rank + k : rank - (ranks_ - k));
    }
  }

  [[nodiscard]] Volumes volumes(int stage, const Volumes& held,
                                const Volumes& /*before*/) const override {
    // A window that slides: what enters at its end, and what leaves at its beginning.
    const auto size = static_cast<std::size_t>(window(stage));
    Volumes volumes(held.size(), 0);
    for (std::size_t k = 0; k < size; ++k) volumes[0] += held[k];
    for (std::size_t rank = 1; rank < held.size(); ++rank) {
      volumes[rank] = volumes[rank - 1] - held[rank - 1] + held[(rank - 1 + size) % held.size()];
    }
    return volumes;
  }

 private:
  [[nodiscard]] Rank window(int stage) const {
    if (stage == stages()) return ranks_;
    const Rank distance = Rank{1} << stage;
    return std::min(distance, ranks_ - distance);
  }

  Rank ranks_;
};

/// A binomial tree that deals one part to each rank: whoever has the parts for a segment of ranks,
/// places counted from `root`, sends those for the second half of it to the first rank there.
class ScatterPhase final : public Phase {
 public:
  ScatterPhase(Rank ranks, Rank root)
      : ranks_(ranks), root_(root), halving_(ranks), received_(index_of(ranks), 0) {
    receive({0, ranks});
  }

  [[nodiscard]] int stages() const override { return halving_.stages(); }
  [[nodiscard]] std::string stage_name(int stage) const override {
    return fmt::format("scatter the longest block, {}", stage + 1);
  }

  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override {
    const Rank place = place_of(rank);
    const Halving::Segment segment = halving_.segment(stage, place);
    if (segment.size == 1) return {};
    if (place == segment.begin) return {{1, rank_at(segment.middle()), kNoRank}};
    if (place == segment.middle()) return {{1, kNoRank, rank_at(segment.begin)}};
    return {};
  }
  [[nodiscard]] int step_count(int /*stage*/) const override { return 1; }

  [[nodiscard]] bool deals_parts() const override { return true; }

  [[nodiscard]] bool comes_by(Rank other, Rank rank) const override {
    const Rank ahead = place_of(other) - place_of(rank);
    return ahead >= 0 && ahead < received_[index_of(place_of(rank))];
  }

  void origins(int stage, Rank rank, std::vector<Rank>& origins) const override {
    if (stage == stages()) {
      origins.push_back(rank);
      return;
    }
    const Halving::Segment segment = halving_.segment(stage, place_of(rank));
    if (place_of(rank) != segment.begin) return;
    for (Rank place = segment.middle(); place <= segment.last(); ++place) {
      origins.push_back(rank_at(place));
    }
  }

 private:
  [[nodiscard]] Rank place_of(Rank rank) const {
    return rank >= root_ ? rank - root_ : rank - root_ + ranks_;
  }
  [[nodiscard]] Rank rank_at(Rank place) const {
    return place < ranks_ - root_ ? root_ + place : place - (ranks_ - root_);
  }

  /// Enters what the first place of a segment receives, and so on in its halves.
  void receive(const Halving::Segment& segment) {
    Rank& received = received_[index_of(segment.begin)];
    received = std::max(received, segment.size);
    if (segment.size == 1) return;
    receive(segment.half_with(segment.begin));
    receive(segment.half_with(segment.last()));
  }

  Rank ranks_;
  Rank root_;
  Halving halving_;
  std::vector<Rank> received_;  ///< by place: the parts that come to it, for itself and those ahead
};

}  // namespace

std::unique_ptr<Allgather> make_dissemination(Sources sources) {
  Phases phases;
  phases.push_back(std::make_unique<DisseminationPhase>(sources.ranks()));
  return std::make_unique<PhasedAllgather>("dissemination", std::move(sources), std::move(phases));
}

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
