// When a rank sends to each of the others in a redistribution, and receives from it.
#pragma once

#include <map>

#include "redistribution/redistribution.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// Steps by peer. What one rank sends in a step the other one receives in it.
struct MessageSteps {
  std::map<Rank, Index> sends;
  std::map<Rank, Index> receives;
};

/// Returns the steps of `rank` by the schedule of fewest steps, in which no rank sends two messages
/// in a step, nor receives two. Costs what RedistributionSchedule says. Throws Error(count) as that
/// does.
[[nodiscard]] MessageSteps scheduled_steps(const Redistribution& redistribution, Rank rank);

}  // namespace shunt
