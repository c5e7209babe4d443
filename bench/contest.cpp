#include "contest.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>

#include "model/quantile.hpp"
#include "model/turns.hpp"
#include "model/way_text.hpp"
#include "regret.hpp"

namespace shunt::bench {

namespace {

/// The median of each round's runs.
std::vector<double> rounds_of(const std::vector<double>& times, int runs) {
  std::vector<double> rounds;
  for (auto first = times.begin(); first != times.end(); first += runs) {
    rounds.push_back(median_of({first, first + runs}));
  }
  return rounds;
}

/// Replaces each rank's times by those of the slowest rank and fills in what follows from them.
void summarise(std::vector<Result>& results, int runs, MPI_Comm comm) {
  for (Result& result : results) {
    MPI_Allreduce(MPI_IN_PLACE, result.microseconds.data(),
                  static_cast<int>(result.microseconds.size()), MPI_DOUBLE, MPI_MAX, comm);
    result.microseconds = rounds_of(result.microseconds, runs);
    result.median = median_of(result.microseconds);
    result.least = std::ranges::min(result.microseconds);
    result.most = std::ranges::max(result.microseconds);
    result.native_ratio = paired_ratio(results.front().microseconds, result.microseconds);
  }
}

}  // namespace

void Contest::add_shunt(const Forms& forms, const Contestant& reference) {
  for (const std::string& algorithm : options_.algorithms) {
    for (const Mode mode : options_.modes) {
      Options chosen = read_way(algorithm, {.mode = mode, .grain = options_.grain});
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
          if (algorithm == "auto") contestants_.back().learning = options_.learning;
        }
      }
      // Without a plan, MPI's own collective is the reference itself.
      if (options_.one_shots && algorithm != "native") {
        const auto taken = std::make_shared<std::string>();
        add_form("one-shot",
                 [one_shot = forms.one_shot, chosen, taken] { *taken = one_shot(chosen).chosen; });
        if (algorithm == "auto") {
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

std::vector<double> Contest::take_turn(const Contestant& contestant, Result& result) {
  if (contestant.begin_turn) contestant.begin_turn();
  if (options_.lone_plans) warm_up(contestant, options_.warm_up);
  std::vector<double> times;
  for (int i = 0; i < options_.runs; ++i) times.push_back(time_batch(contestant) * 1e6);
  if (contestant.explain) result.explanations.push_back(contestant.explain());
  if (contestant.end_turn) contestant.end_turn();
  return times;
}

std::vector<Result> Contest::run() {
  std::vector<Result> results;
  for (const Contestant& contestant : contestants_) {
    results.push_back({contestant.algorithm, contestant.mode, contestant.form, {}});
    warm_up(contestant, contestant.learning);
    if (!options_.lone_plans) warm_up(contestant, options_.warm_up);
  }
  Turns turns(contestants_.size());
  for (int round = 0; round < options_.rounds; ++round) {
    for (const std::size_t i : turns.next()) {
      std::ranges::copy(take_turn(contestants_[i], results[i]),
                        std::back_inserter(results[i].microseconds));
    }
  }
  summarise(results, options_.runs, comm_);
  return results;
}

}  // namespace shunt::bench
