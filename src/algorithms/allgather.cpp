#include "algorithms/allgather.hpp"

#include <algorithm>
#include <cstddef>

namespace shunt {

void append_joined(std::vector<Share> found, std::vector<Share>& shares) {
  std::ranges::sort(found);
  const std::size_t first = shares.size();
  for (const Share& share : found) {
    const bool joins = shares.size() > first && shares.back().source == share.source &&
                       shares.back().end == share.begin;
    if (joins) {
      shares.back().end = share.end;
    } else {
      shares.push_back(share);
    }
  }
}

int Allgather::start_ups() const {
  int count = 0;
  for (int stage = 0; stage < stages(); ++stage) count += step_count(stage);
  return count;
}

}  // namespace shunt
