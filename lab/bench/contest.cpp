#include "lab/bench/contest.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "lab/statistics/regret.hpp"
#include "model/configuration.hpp"
#include "model/median.hpp"
#include "planner/trials.hpp"

namespace shunt::bench {

namespace {

/// Fills in what follows from the times.
void summarise(std::vector<Result>& results) {
  const Rounds& first = results.front().microseconds;
  for (Result& result : results) {
    result.median = median_of(result.microseconds);
    result.least = std::ranges::min(result.microseconds);
    result.most = std::ranges::max(result.microseconds);
    // Of the rounds that both had.
    result.native_ratio = paired_ratio(
        {first.begin(), first.begin() + std::ssize(result.microseconds)}, result.microseconds);
  }
}

bool all_known(const std::vector<Result>& results) {
  return std::ranges::all_of(results, [&](const Result& result) {
    return result.algorithm != kAuto || is_known(results.front().microseconds, result.microseconds);
  });
}

/// Of all that are made in the same form, and of the first.
std::vector<Rounds> rounds_beside(const Result& result, const std::vector<Result>& results) {
  std::vector<Rounds> rounds{results.front().microseconds};
  for (const Result& other : results) {
    if (other.form == result.form) rounds.push_back(other.microseconds);
  }
  return rounds;
}

/// Those that are compared with each other for more rounds.
std::vector<std::size_t> finalists(const std::vector<Result>& results) {
  std::vector<std::size_t> stay;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Result& result = results[i];
    if (result.algorithm == kAuto || result.algorithm == results.front().algorithm ||
        may_be_fastest(result.microseconds, rounds_beside(result, results))) {
      stay.push_back(i);
    }
  }
  return stay;
}

}  // namespace

void Contest::add_shunt(const Forms& forms, const Contestant& reference) {
  for (const std::string& algorithm : options_.algorithms) {
    for (const Mode mode : options_.modes) {
      Options chosen = read_configuration(algorithm, {.mode = mode, .grain = options_.grain});
      chosen.packet = options_.packet;
      const auto add_form = [&](const char* form, std::function<void()> run) {
        add({algorithm, name_of(mode), form, std::move(run), reference.prepare,
             reference.count_mistakes});
      };
      if (options_.plans) {
        const auto plan = std::make_shared<std::optional<Plan>>();
        add_form("plan", [plan] { (*plan)->execute(); });
        if (options_.lone_plans) {
          Contestant& planned = contestants_.back();
          planned.begin_turn = [plan, make = forms.plan, chosen] { plan->emplace(make(chosen)); };
          planned.end_turn = [plan] { plan->reset(); };
          planned.explain = [plan] { return (*plan)->explain(); };
        } else {
          plan->emplace(forms.plan(chosen));
          if (algorithm == kAuto) contestants_.back().learning = options_.learning;
        }
      }
      // Without a plan, MPI's own collective is the reference itself.
      if (options_.one_shots && algorithm != kNative) {
        const auto taken = std::make_shared<std::string>();
        add_form("one-shot",
                 [one_shot = forms.one_shot, chosen, taken] { *taken = one_shot(chosen).chosen; });
        if (algorithm == kAuto) {
          contestants_.back().learning = options_.learning;
          contestants_.back().explain = [taken] { return *taken; };
        }
      }
    }
  }
}

double Contest::time_batch(const Contestant& contestant) {
  contestant.prepare();
  MPI_Barrier(comm_);
  const double begin = MPI_Wtime();
  for (int i = 0; i < options_.batch; ++i) contestant.run();
  const double seconds = MPI_Wtime() - begin;
  // Who checks its bytes keeps no other rank from a processor that is still timed.
  MPI_Barrier(comm_);
  ++runs_;
  mistakes_ += contestant.count_mistakes();
  return seconds / options_.batch;
}

Bytes Contest::mistakes() const {
  Bytes sum = 0;
  MPI_Allreduce(&mistakes_, &sum, 1, MPI_INT64_T, MPI_SUM, comm_);
  return sum;
}

void Contest::warm_up(const Contestant& contestant, int runs) {
  for (int made = 0; made < runs; made += options_.batch) time_batch(contestant);
}

void Contest::take_turn(const Contestant& contestant, Result& result) {
  if (contestant.begin_turn) contestant.begin_turn();
  if (options_.lone_plans) warm_up(contestant, options_.warm_up);
  std::vector<double> times;
  for (int i = 0; i < options_.runs; ++i) times.push_back(time_batch(contestant) * 1e6);
  if (contestant.explain) result.explanations.push_back(contestant.explain());
  if (contestant.end_turn) contestant.end_turn();
  MPI_Allreduce(MPI_IN_PLACE, times.data(), options_.runs, MPI_DOUBLE, MPI_MAX, comm_);
  result.microseconds.push_back(median_of(std::move(times)));
}

void Contest::play(InterleavedOrder& turns, int rounds, std::vector<Result>& results) {
  for (int round = 0; round < rounds; ++round) {
    for (const std::size_t i : turns.next()) take_turn(contestants_[i], results[i]);
  }
}

std::vector<Result> Contest::run() {
  std::vector<Result> results;
  for (const Contestant& contestant : contestants_) {
    results.push_back({contestant.algorithm, contestant.mode, contestant.form, {}});
    warm_up(contestant, contestant.learning);
    if (!options_.lone_plans) warm_up(contestant, options_.warm_up);
  }
  InterleavedOrder all(contestants_.size());
  play(all, options_.rounds, results);
  InterleavedOrder some(finalists(results));
  for (int rounds = options_.rounds; rounds < options_.most_rounds && !all_known(results);) {
    const int more = std::min(options_.rounds, options_.most_rounds - rounds);
    play(some, more, results);
    rounds += more;
  }
  summarise(results);
  return results;
}

}  // namespace shunt::bench
