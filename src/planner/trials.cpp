#include "planner/trials.hpp"

#include <algorithm>

#include <mpi.h>

#include "exchange/stage_runner.hpp"
#include "model/turns.hpp"

namespace shunt {

namespace {

constexpr int kWarmUps = 2;
constexpr int kRounds = 9;

/// Seconds of the slowest rank in the median round, by plan. The plans take turns.
std::vector<double> time_plans(const YardState& yard,
                               const std::vector<std::unique_ptr<PlannedExchange>>& plans) {
  std::vector<double> seconds(kRounds * plans.size());
  Turns turns(plans.size());
  for (int round = -kWarmUps; round < kRounds; ++round) {
    for (const std::size_t k : turns.next()) {
      meet(yard);
      const double begin = MPI_Wtime();
      plans[k]->start();
      plans[k]->wait();
      if (round < 0) continue;
      seconds[static_cast<std::size_t>(round) * plans.size() + k] = MPI_Wtime() - begin;
    }
  }
  const std::vector<double> own = seconds;
  yard.reduce(own.data(), seconds.data(), static_cast<int>(own.size()), MPI_DOUBLE, MPI_MAX);
  std::vector<double> medians;
  for (std::size_t k = 0; k < plans.size(); ++k) {
    std::vector<double> rounds;
    for (std::size_t i = k; i < seconds.size(); i += plans.size()) rounds.push_back(seconds[i]);
    std::ranges::nth_element(rounds, rounds.begin() + kRounds / 2);
    medians.push_back(rounds[kRounds / 2]);
  }
  return medians;
}

}  // namespace

std::string winner(const std::vector<Trial>& trials, const std::string& preferred) {
  // A few rounds on a machine with other work differ by this much with nothing behind it.
  constexpr double kClearly = 0.9;
  const auto favourite = std::ranges::find(trials, preferred, &Trial::algorithm);
  const auto fastest = std::ranges::min_element(trials, {}, &Trial::seconds);
  const bool clear = favourite == trials.end() || fastest->seconds < kClearly * favourite->seconds;
  return clear ? fastest->algorithm : favourite->algorithm;
}

PlanChoice try_plans(
    const YardState& yard, const std::vector<std::string>& candidates, const std::string& preferred,
    const std::function<std::unique_ptr<PlannedExchange>(const std::string&)>& make) {
  std::vector<std::unique_ptr<PlannedExchange>> plans;
  for (const std::string& name : candidates) plans.push_back(make(name));
  const std::vector<double> seconds = time_plans(yard, plans);
  PlanChoice choice;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    choice.trials.push_back({candidates[k], seconds[k]});
  }
  std::ranges::stable_sort(choice.trials, {}, &Trial::seconds);
  choice.algorithm = winner(choice.trials, preferred);
  return choice;
}

}  // namespace shunt
