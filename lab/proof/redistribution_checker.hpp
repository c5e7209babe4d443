// Proves schedules of redistributions.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "schedule/place_grid.hpp"
#include "schedule/redistribution_axis.hpp"
#include "schedule/step.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// What every place of both sides does.
struct PlacesSteps {
  Rank senders;
  Rank receivers;
  int step_count;
  std::function<std::vector<Step>(Rank)> sends;
  std::function<std::vector<Step>(Rank)> receives;
};

struct RedistributionProof {
  int steps = 0;
  Bytes messages = 0;
  std::vector<std::string> violations;  ///< sentences
};

/// Proved, besides what `check_schedule` proves of senders and receivers (which go by the numbers
/// that follow those of the senders there): a sender sends to those receivers that it meets and to
/// no others, and there are as many steps as the busiest place of either side has messages.
[[nodiscard]] RedistributionProof prove_redistribution(const PlacesSteps& steps,
                                                       const std::function<bool(Rank, Rank)>& meet);

/// Proves the schedule that RedistributionSchedule makes for these axes. Which places meet is found
/// from what each pair of them has in common in each dimension.
[[nodiscard]] RedistributionProof prove_redistribution(const std::vector<RedistributionAxis>& axes,
                                                       PlaceOrder from, PlaceOrder to);

}  // namespace shunt
