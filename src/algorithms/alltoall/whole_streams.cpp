#include "algorithms/alltoall/whole_streams.hpp"

#include <algorithm>

namespace shunt {

Bytes largest_box(const TrafficBound& traffic, Bytes sources, Bytes destinations) {
  const Bytes of_source = std::min(traffic.largest_load, destinations * traffic.longest_block);
  const Bytes of_destination = std::min(traffic.largest_load, sources * traffic.longest_block);
  return std::min(sources * of_source, destinations * of_destination);
}

void WholeStreams::route(int stage, Rank at, Rank destination, Bytes length,
                         std::vector<Piece>& pieces) const {
  if (length > 0) pieces.push_back({next(stage, at, destination), 0, length});
}

RecordRule WholeStreams::record_rule(int stage, Rank at) const {
  RecordRule rule;
  for (Rank destination = 0; destination < ranks(); ++destination) {
    rule.to.push_back(next(stage, at, destination));
  }
  return rule;
}

double WholeStreams::predict(const Loads& loads, const LinkCost& cost) const {
  double seconds = 0;
  Bytes held = std::ranges::max(loads.out);
  for (int stage = 0; stage < stages(); ++stage) {
    Bytes received = 0;
    for (const Rank rank : extremes()) {
      received = std::max(received, bound(stage, rank, loads.bound()).load);
    }
    const auto busy = static_cast<double>(std::max(received, held));
    seconds += step_count(stage) * cost.start_up + busy * (cost.per_byte + cost.copy);
    held = received;
  }
  return seconds;
}

StageBound OneStage::bound(int /*stage*/, Rank /*rank*/, const TrafficBound& traffic) const {
  return {ranks(), traffic.longest_block, largest_box(traffic, ranks(), 1)};
}

}  // namespace shunt
