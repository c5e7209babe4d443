#include "contest.hpp"

#include <algorithm>
#include <memory>

#include "model/turns.hpp"
#include "regret.hpp"

namespace shunt::bench {

namespace {

/// Replaces each rank's times by those of the slowest rank and fills in what follows from them.
void summarise(std::vector<Result>& results, MPI_Comm comm) {
  for (Result& result : results) {
    MPI_Allreduce(MPI_IN_PLACE, result.microseconds.data(),
                  static_cast<int>(result.microseconds.size()), MPI_DOUBLE, MPI_MAX, comm);
    result.median = median_of(result.microseconds);
    result.least = std::ranges::min(result.microseconds);
    result.most = std::ranges::max(result.microseconds);
    result.native_ratio = results.front().median / result.median;
  }
}

}  // namespace

void Contest::add_shunt(const Forms& forms, const Contestant& reference) {
  for (const std::string& algorithm : options_.algorithms) {
    for (const Mode mode : options_.modes) {
      Options chosen{algorithm, mode, options_.grain, {}};
      chosen.packet = options_.packet;
      const auto add_form = [&](const char* form, std::function<void()> run) {
        add({algorithm, name_of(mode), form, std::move(run), reference.prepare,
             reference.count_mistakes});
      };
      if (options_.plans) {
        add_form("plan", [plan = std::make_shared<Plan>(forms.plan(chosen))] { plan->execute(); });
      }
      // Without a plan, MPI's own collective is the reference itself.
      if (options_.one_shots && algorithm != "native") {
        add_form("one-shot", [one_shot = forms.one_shot, chosen] { one_shot(chosen); });
      }
    }
  }
}

double Contest::time_once(const Contestant& contestant) {
  contestant.prepare();
  MPI_Barrier(comm_);
  const double begin = MPI_Wtime();
  contestant.run();
  const double seconds = MPI_Wtime() - begin;
  // Who checks its bytes keeps no other rank from a processor that is still timed.
  MPI_Barrier(comm_);
  ++runs_;
  mistakes_ += contestant.count_mistakes();
  return seconds;
}

Bytes Contest::mistakes() const {
  Bytes sum = 0;
  MPI_Allreduce(&mistakes_, &sum, 1, MPI_INT64_T, MPI_SUM, comm_);
  return sum;
}

std::vector<Result> Contest::run() {
  std::vector<Result> results;
  for (const Contestant& contestant : contestants_) {
    results.push_back({contestant.algorithm, contestant.mode, contestant.form, {}});
    for (int i = 0; i < options_.warm_up; ++i) time_once(contestant);
  }
  Turns turns(contestants_.size());
  for (int round = 0; round < options_.rounds; ++round) {
    for (const std::size_t i : turns.next()) {
      results[i].microseconds.push_back(time_once(contestants_[i]) * 1e6);
    }
  }
  summarise(results, comm_);
  return results;
}

}  // namespace shunt::bench
