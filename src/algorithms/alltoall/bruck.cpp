#include <algorithm>

#include <fmt/format.h>

#include "algorithms/alltoall/alltoall.hpp"
#include "algorithms/alltoall/bruck_stage.hpp"
#include "algorithms/alltoall/whole_streams.hpp"

namespace shunt {

std::vector<Step> bruck_steps(const RadixDigits& digits, int stage, Rank place) {
  const Rank largest = digits.largest_digit(stage);
  std::vector<Step> steps;
  for (Rank digit = 1; digit <= largest; ++digit) {
    steps.push_back(
        {digit, digits.shifted(place, digit, stage), digits.shifted(place, -digit, stage)});
  }
  steps.push_back({largest + 1, place, place});
  return steps;
}

/// What is at a place before a stage comes from the radix^stage places up to it, and is meant for
/// the places at distances that are multiples of radix^stage; each message, for one digit of these.
StageBound bruck_bound(const RadixDigits& digits, int stage, const TrafficBound& traffic,
                       const PlaceWeights& weights) {
  const int messages = digits.largest_digit(stage) + 1;
  const Bytes destinations = std::min(weights.destinations * digits.farther(stage), weights.ranks);
  auto sources = [&](int before) {
    return std::min(weights.sources * digits.power(before), weights.ranks);
  };
  const Bytes longest = largest_box(traffic, sources(stage), destinations);
  const Bytes load = largest_box(traffic, sources(stage + 1), destinations);
  return {messages, longest, std::min(load, longest * messages)};
}

namespace {

class Bruck : public WholeStreams {
 public:
  explicit Bruck(const RadixDigits& digits) : digits_(digits) {}

  [[nodiscard]] std::string name() const override {
    return fmt::format("bruck:{}", digits_.radix());
  }
  [[nodiscard]] Rank ranks() const override { return digits_.size(); }
  /// A lone rank has a message to itself.
  [[nodiscard]] int stages() const override { return std::max(digits_.stages(), 1); }
  [[nodiscard]] std::string stage_name(int stage) const override {
    return fmt::format("digit {}", stage + 1);
  }
  [[nodiscard]] std::vector<Step> steps(int stage, Rank rank) const override {
    return bruck_steps(digits_, stage, rank);
  }
  [[nodiscard]] int step_count(int stage) const override {
    return digits_.largest_digit(stage) + 1;
  }
  [[nodiscard]] std::optional<Symmetry> symmetry() const override {
    return Symmetry{Extents({ranks()})};
  }
  [[nodiscard]] StageBound bound(int stage, Rank /*rank*/,
                                 const TrafficBound& traffic) const override {
    return bruck_bound(digits_, stage, traffic, {1, 1, ranks()});
  }

 private:
  [[nodiscard]] Rank next(int stage, Rank at, Rank destination) const override {
    return digits_.next(stage, at, destination);
  }

  RadixDigits digits_;
};

}  // namespace

std::unique_ptr<Algorithm> make_bruck(Rank ranks, Rank radix) {
  return std::make_unique<Bruck>(RadixDigits(ranks, radix));
}

}  // namespace shunt
