#include "planner/turns_timing.hpp"

#include <algorithm>

#include <mpi.h>

#include "exchange/stage_runner.hpp"
#include "model/turns.hpp"

namespace shunt {

std::function<void()> execution_of(PlannedExchange& plan) {
  return [&plan] {
    plan.start();
    plan.wait();
  };
}

std::vector<double> time_in_turn(const YardState& yard,
                                 const std::vector<std::function<void()>>& ways,
                                 const Rounds& rounds) {
  const auto kept = static_cast<std::size_t>(rounds.rounds);
  std::vector<double> seconds(kept * ways.size());
  Turns turns(ways.size());
  for (int round = -rounds.warm_ups; round < rounds.rounds; ++round) {
    for (const std::size_t k : turns.next()) {
      meet(yard);
      const double begin = MPI_Wtime();
      ways[k]();
      if (round < 0) continue;
      seconds[static_cast<std::size_t>(round) * ways.size() + k] = MPI_Wtime() - begin;
    }
  }
  const std::vector<double> own = seconds;
  yard.reduce(own.data(), seconds.data(), static_cast<int>(own.size()), MPI_DOUBLE, MPI_MAX);
  std::vector<double> counting;
  for (std::size_t k = 0; k < ways.size(); ++k) {
    std::vector<double> times;
    for (std::size_t i = k; i < seconds.size(); i += ways.size()) times.push_back(seconds[i]);
    const auto place =
        static_cast<std::ptrdiff_t>(rounds.quantile * static_cast<double>(times.size()));
    std::ranges::nth_element(times, times.begin() + place);
    counting.push_back(times[static_cast<std::size_t>(place)]);
  }
  return counting;
}

}  // namespace shunt
