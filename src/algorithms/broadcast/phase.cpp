#include "algorithms/broadcast/phase.hpp"

#include <algorithm>

#include "schedule/one_port.hpp"

namespace shunt {

Volumes Phase::volumes(int stage, const Volumes& held) const {
  Volumes volumes(held.size(), 0);
  std::vector<Rank> found;
  for (std::size_t rank = 0; rank < held.size(); ++rank) {
    found.clear();
    origins(stage, static_cast<Rank>(rank), found);
    for (const Rank origin : found) volumes[rank] += held[static_cast<std::size_t>(origin)];
  }
  return volumes;
}

double Phase::predict(const Volumes& held, const LinkCost& cost) const {
  OnePortClock clock(static_cast<Rank>(held.size()), cost);
  std::vector<SizedMessage> messages;
  for (int stage = 0; stage < stages(); ++stage) {
    messages.clear();
    const Volumes passed = volumes(stage, held);
    for (std::size_t rank = 0; rank < held.size(); ++rank) {
      if (passed[rank] == 0) continue;
      for (const Step& step : steps(stage, static_cast<Rank>(rank))) {
        if (step.to == kNoRank) continue;
        messages.push_back({step.number, static_cast<Rank>(rank), step.to, passed[rank]});
      }
    }
    std::ranges::stable_sort(messages, {}, &SizedMessage::step);
    clock.pass(messages);
  }
  return clock.latest();
}

}  // namespace shunt
