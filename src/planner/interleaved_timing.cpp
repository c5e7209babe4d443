#include "planner/interleaved_timing.hpp"

#include <mpi.h>

#include "engine/stage_runner.hpp"
#include "model/interleaved_order.hpp"
#include "model/write_anew.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "planner/clock.hpp"

namespace shunt {

std::function<void()> execution_of(PlannedExchange& plan) {
  return [&plan] {
    plan.start();
    plan.wait();
  };
}

std::vector<std::vector<double>> time_interleaved(const Context& context,
                                                  const std::vector<std::function<void()>>& ways,
                                                  const Rounds& rounds) {
  const auto kept = static_cast<std::size_t>(rounds.rounds);
  std::vector<double> own(ways.size() * kept);
  InterleavedOrder turns(ways.size());
  // From here on no rank waits for another one to make progress with its plans, so that the
  // blocking barrier may be used: ranks that share processors leave it at nearly the same time.
  // After the other one, 4 ranks on two processors took 10 us for what takes 6, and the order of
  // the ways was another.
  meet(context);
  for (int round = -rounds.warm_ups; round < rounds.rounds; ++round) {
    for (const std::size_t k : turns.next()) {
      double seconds = 0;
      double begin = 0;
      for (int call = 0; call < rounds.calls; ++call) {
        write_anew(rounds.sent);
        if (call == 0 || !rounds.in_a_row) {
          check_mpi(MPI_Barrier(context.comm()), "MPI_Barrier");
          begin = seconds_now();
        }
        ways[k]();
        seconds = seconds_now() - begin;
      }
      if (rounds.in_a_row) seconds /= rounds.calls;
      if (round >= 0) own[k * kept + static_cast<std::size_t>(round)] = seconds;
    }
  }
  std::vector<double> seconds(own.size());
  context.progress.reduce(own.data(), seconds.data(), static_cast<int>(own.size()), MPI_DOUBLE,
                          MPI_MAX);
  std::vector<std::vector<double>> times;
  for (auto first = seconds.begin(); first != seconds.end();) {
    const auto last = first + rounds.rounds;
    times.emplace_back(first, last);
    first = last;
  }
  return times;
}

}  // namespace shunt
