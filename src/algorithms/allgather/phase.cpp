#include "algorithms/allgather/phase.hpp"

#include <algorithm>
#include <numeric>

#include "schedule/one_port.hpp"

namespace shunt {

Volumes Phase::volumes(int stage, const Volumes& held, const Volumes& /*before*/) const {
  Volumes volumes(held.size(), 0);
  std::vector<Rank> found;
  for (std::size_t rank = 0; rank < held.size(); ++rank) {
    found.clear();
    origins(stage, static_cast<Rank>(rank), found);
    for (const Rank origin : found) volumes[rank] += held[static_cast<std::size_t>(origin)];
  }
  return volumes;
}

void Phase::give_all_to_all(Volumes& held) {
  std::ranges::fill(held, std::accumulate(held.begin(), held.end(), Bytes{0}));
}

double Phase::predict(Volumes& held, const LinkCost& cost) const {
  OnePortClock clock(static_cast<Rank>(held.size()), cost);
  std::vector<SizedMessage> messages;
  Volumes passed;
  for (int stage = 0; stage < stages(); ++stage) {
    messages.clear();
    passed = volumes(stage, held, passed);
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
  held = volumes(stages(), held, passed);
  return clock.latest();
}

}  // namespace shunt
