#include "algorithms/alltoall/bruck_stage.hpp"

#include <algorithm>

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

}  // namespace shunt
