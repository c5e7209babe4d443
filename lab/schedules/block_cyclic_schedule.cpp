#include "lab/schedules/block_cyclic_schedule.hpp"

#include <algorithm>

namespace shunt {

std::vector<Step> BlockCyclicSchedule::sends(Rank sender) const {
  std::vector<Step> steps;
  classes_.for_each_receiver(sender, [&](Index q, Rank receiver) {
    steps.push_back({step_of(q, sender, receiver), receiver, kNoRank});
  });
  std::ranges::sort(steps, {}, &Step::number);
  return steps;
}

std::vector<Step> BlockCyclicSchedule::receives(Rank receiver) const {
  std::vector<Step> steps;
  classes_.for_each_sender(receiver, [&](Index q, Rank sender) {
    steps.push_back({step_of(q, sender, receiver), kNoRank, sender});
  });
  std::ranges::sort(steps, {}, &Step::number);
  return steps;
}

}  // namespace shunt
