#include "planner/choose.hpp"

#include <limits>

#include "algorithms/registry.hpp"

namespace shunt {

std::string choose_algorithm(Rank ranks, const TrafficBound& traffic, const LinkCost& cost) {
  const auto count = static_cast<std::size_t>(ranks);
  const Loads loads{std::vector<Bytes>(count, traffic.largest_load),
                    std::vector<Bytes>(count, traffic.largest_load), traffic.longest_block};
  std::string best;
  double best_seconds = std::numeric_limits<double>::infinity();
  for (const char* name : {"a1", "a2", "a3", "a4", "stages:3", "collect:3"}) {
    const double seconds = make_algorithm(name, ranks, 1)->predict(loads, cost);
    if (seconds < best_seconds) {
      best = name;
      best_seconds = seconds;
    }
  }
  return best;
}

}  // namespace shunt
