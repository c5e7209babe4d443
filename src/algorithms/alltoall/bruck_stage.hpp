// One stage of a Bruck exchange over places that each have one rank.
#pragma once

#include <vector>

#include "algorithms/algorithm.hpp"
#include "schedule/radix_digits.hpp"

namespace shunt {

/// The steps of the rank at `place`, in places: a digit a step, and in the last what stays.
[[nodiscard]] std::vector<Step> bruck_steps(const RadixDigits& digits, int stage, Rank place);

/// What stands behind each place: of how many ranks it has data before the first stage, and for how
/// many destinations it is the target; and how many ranks there are at all.
struct PlaceWeights {
  Bytes sources;
  Bytes destinations;
  Bytes ranks;
};

[[nodiscard]] StageBound bruck_bound(const RadixDigits& digits, int stage,
                                     const TrafficBound& traffic, const PlaceWeights& weights);

}  // namespace shunt
