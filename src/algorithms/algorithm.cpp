#include "algorithms/algorithm.hpp"

#include <algorithm>

namespace shunt {

int Algorithm::start_ups() const {
  int count = 0;
  for (int stage = 0; stage < stages(); ++stage) count += step_count(stage);
  return count;
}

Bytes Algorithm::buffer_bound(Rank rank, const TrafficBound& traffic) const {
  Bytes largest = 0;
  for (int stage = 0; stage < stages(); ++stage) {
    largest = std::max(largest, bound(stage, rank, traffic).load);
  }
  return largest;
}

}  // namespace shunt
