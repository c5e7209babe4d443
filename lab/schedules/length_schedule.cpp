#include "lab/schedules/length_schedule.hpp"

#include <algorithm>
#include <numeric>

namespace shunt {

LengthSchedule::LengthSchedule(const RedistributionSchedule& schedule, LengthRule rule)
    : step_count_(schedule.step_count()),
      sends_(static_cast<std::size_t>(schedule.senders())),
      receives_(static_cast<std::size_t>(schedule.receivers())) {
  std::vector<Edge> edges;
  std::vector<Index> lengths;
  for (Rank sender = 0; sender < schedule.senders(); ++sender) {
    for (const Step& step : schedule.sends(sender)) {
      edges.push_back({sender, step.to});
      lengths.push_back(schedule.elements(sender, step.to));
    }
  }
  const std::vector<int> colours =
      colour_edges_by_length(schedule.senders(), schedule.receivers(), edges, lengths, rule);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto [sender, receiver] = edges[k];
    sends_[static_cast<std::size_t>(sender)].push_back({colours[k] + 1, receiver, kNoRank});
    receives_[static_cast<std::size_t>(receiver)].push_back({colours[k] + 1, kNoRank, sender});
  }
  for (auto* places : {&sends_, &receives_}) {
    for (std::vector<Step>& steps : *places) std::ranges::sort(steps, {}, &Step::number);
  }
}

StepCost step_cost(const PlacesSteps& steps, const std::function<Index(Rank, Rank)>& elements) {
  std::vector<Index> longest(static_cast<std::size_t>(steps.step_count), 0);
  std::vector<Index> received(static_cast<std::size_t>(steps.receivers), 0);
  StepCost cost;
  for (Rank sender = 0; sender < steps.senders; ++sender) {
    Index sent = 0;
    for (const Step& step : steps.sends(sender)) {
      const Index length = elements(sender, step.to);
      Index& of_step = longest[static_cast<std::size_t>(step.number) - 1];
      of_step = std::max(of_step, length);
      sent += length;
      Index& of_receiver = received[static_cast<std::size_t>(step.to)];
      of_receiver += length;
      cost.busiest = std::max(cost.busiest, of_receiver);
    }
    cost.busiest = std::max(cost.busiest, sent);
  }
  cost.longest = std::accumulate(longest.begin(), longest.end(), Index{0});
  return cost;
}

}  // namespace shunt
