#include "schedule/ring_rule.hpp"

namespace shunt {

namespace {

/// Stages count from 0 here: Stage 1 of Fig. 2 is stage 0, the steps of its Stage 2 are stages 1 to
/// floor(p/4), those of its Stage 3 all others.
class AlternatingRing final : public RingRule {
 public:
  explicit AlternatingRing(Rank size) : size_(size), floor_(size / 4), ceiling_((size + 3) / 4) {}

  [[nodiscard]] int stages() const override { return size_ / 2; }
  [[nodiscard]] Rank period() const override { return 2; }

  [[nodiscard]] std::vector<RingMove> moves(int stage, Rank place) const override {
    if (stage > 0) {
      const Rank turn = direction(stage, place);
      // Its own data, or what came from one neighbour in stage 0, and the same from places behind.
      const RankBox data{2, in_second(stage) ? floor_ - (stage - 1) : size_ / 2 - stage};
      return {{2 * turn, turn > 0 ? Way::forward : Way::backward, data}};
    }
    std::vector<RingMove> moves;
    const Rank forward = neighbours_share(place);
    const Rank backward = size_ / 2 - forward;
    if (forward > 0) moves.push_back({1, Way::forward, {1, forward}});
    if (backward > 0) moves.push_back({-1, Way::backward, {1, backward}});
    return moves;
  }

  [[nodiscard]] Halves halves(int stage, Rank place, Rank ahead) const override {
    Rank distance = 0;
    if (stage == 0) {
      if (ahead % 2 != 0) distance = ahead < 2 * neighbours_share(place) ? 1 : -1;
    } else if (ahead != 0) {
      const Rank turn = direction(stage, place);
      const Rank left = turn > 0 ? ahead : size_ - ahead;
      if (left <= size_ / 2) distance = 2 * turn;
    }
    return {distance, distance};
  }

  [[nodiscard]] RankBox waiting(int stage) const override {
    if (stage == 0) return {1, size_ / 2 - 1};
    return in_second(stage) ? RankBox{2, ceiling_ - 1} : RankBox{0, 0};
  }

 private:
  [[nodiscard]] bool in_second(int stage) const { return stage <= floor_; }

  /// Even places go forward in Stage 2 of the paper and backward in its Stage 3, odd ones the
  /// reverse.
  [[nodiscard]] Rank direction(int stage, Rank place) const {
    return (place % 2 == 0) == in_second(stage) ? 1 : -1;
  }

  /// How many destinations of the other parity are reached forward. Where one of them is opposite,
  /// even places reach it backward, and odd places forward.
  [[nodiscard]] Rank neighbours_share(Rank place) const {
    return place % 2 == 0 ? floor_ : ceiling_;
  }

  Rank size_;
  Rank floor_;    ///< of size / 4
  Rank ceiling_;  ///< likewise
};

class PipelinedRing final : public RingRule {
 public:
  explicit PipelinedRing(Rank size) : size_(size) {}

  [[nodiscard]] int stages() const override { return size_ / 2; }
  [[nodiscard]] Rank period() const override { return 1; }

  [[nodiscard]] std::vector<RingMove> moves(int stage, Rank /*place*/) const override {
    const RankBox data{1, size_ / 2 - stage};
    if (size_ == 2) return {{1, Way::both, data}};
    return {{1, Way::forward, data}, {-1, Way::backward, data}};
  }

  [[nodiscard]] Halves halves(int /*stage*/, Rank /*place*/, Rank ahead) const override {
    if (ahead == 0) return {0, 0};
    // Nothing is opposite but what has not moved yet.
    return {ahead <= size_ - ahead ? 1 : -1, ahead < size_ - ahead ? 1 : -1};
  }

  [[nodiscard]] RankBox waiting(int /*stage*/) const override { return {0, 0}; }

 private:
  Rank size_;
};

}  // namespace

std::unique_ptr<RingRule> alternating_ring(Rank size) {
  return std::make_unique<AlternatingRing>(size);
}

std::unique_ptr<RingRule> pipelined_ring(Rank size) {
  return std::make_unique<PipelinedRing>(size);
}

}  // namespace shunt
