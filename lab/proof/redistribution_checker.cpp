#include "lab/proof/redistribution_checker.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "lab/proof/checker.hpp"
#include "schedule/redistribution_schedule.hpp"

namespace shunt {

namespace {

/// By sender and receiver, for one dimension.
std::vector<std::vector<bool>> meetings_along(const RedistributionAxis& axis) {
  std::vector<std::vector<bool>> meet;
  for (Rank i = 0; i < axis.from.places; ++i) {
    meet.emplace_back();
    for (Rank j = 0; j < axis.to.places; ++j) meet.back().push_back(!axis.overlap(i, j).empty());
  }
  return meet;
}

/// Places have coordinates here by division, the fastest one first.
std::vector<Rank> coordinates_of(Rank place, const std::vector<Rank>& extents, PlaceOrder order) {
  std::vector<Rank> coordinates(extents.size());
  for (std::size_t n = 0; n < extents.size(); ++n) {
    const std::size_t k = order == PlaceOrder::column_major ? n : extents.size() - 1 - n;
    coordinates[k] = place % extents[k];
    place /= extents[k];
  }
  return coordinates;
}

}  // namespace

RedistributionProof prove_redistribution(const PlacesSteps& steps,
                                         const std::function<bool(Rank, Rank)>& meet) {
  RedistributionProof proof;
  proof.steps = steps.step_count;
  std::vector<int> received(static_cast<std::size_t>(steps.receivers), 0);
  int most = 0;
  proof.violations =
      check_schedule(steps.senders + steps.receivers, steps.step_count, [&](Rank rank) {
        if (rank >= steps.senders) return steps.receives(rank - steps.senders);
        std::vector<Step> sends = steps.sends(rank);
        for (Step& step : sends) step.to += steps.senders;
        return sends;
      });
  for (Rank sender = 0; sender < steps.senders; ++sender) {
    std::vector<Rank> sent;
    for (const Step& step : steps.sends(sender)) sent.push_back(step.to);
    std::ranges::sort(sent);
    std::vector<Rank> met;
    for (Rank receiver = 0; receiver < steps.receivers; ++receiver) {
      if (!meet(sender, receiver)) continue;
      met.push_back(receiver);
      most = std::max(most, ++received[static_cast<std::size_t>(receiver)]);
    }
    most = std::max(most, static_cast<int>(met.size()));
    proof.messages += std::ssize(met);
    if (sent != met) {
      proof.violations.push_back(
          fmt::format("sender {} does not send to those that it meets, and to no others", sender));
    }
  }
  if (steps.step_count != most) {
    proof.violations.push_back(fmt::format(
        "there are {} steps, but the busiest place has {} messages", steps.step_count, most));
  }
  return proof;
}

RedistributionProof prove_redistribution(const std::vector<RedistributionAxis>& axes,
                                         PlaceOrder from, PlaceOrder to) {
  std::vector<Rank> sending;
  std::vector<Rank> receiving;
  std::vector<std::vector<std::vector<bool>>> along;
  for (const RedistributionAxis& axis : axes) {
    sending.push_back(axis.from.places);
    receiving.push_back(axis.to.places);
    along.push_back(meetings_along(axis));
  }
  const RedistributionSchedule schedule(axes, from, to);
  const PlacesSteps steps{
      .senders = schedule.senders(),
      .receivers = schedule.receivers(),
      .step_count = schedule.step_count(),
      .sends = [&](Rank sender) { return schedule.sends(sender); },
      .receives = [&](Rank receiver) { return schedule.receives(receiver); },
  };
  return prove_redistribution(steps, [&](Rank sender, Rank receiver) {
    const std::vector<Rank> i = coordinates_of(sender, sending, from);
    const std::vector<Rank> j = coordinates_of(receiver, receiving, to);
    for (std::size_t k = 0; k < axes.size(); ++k) {
      if (!along[k][static_cast<std::size_t>(i[k])][static_cast<std::size_t>(j[k])]) return false;
    }
    return true;
  });
}

}  // namespace shunt
