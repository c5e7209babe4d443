#include "planner/learning_plan.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "exchange/mpi_call.hpp"
#include "exchange/simulated.hpp"
#include "model/say.hpp"
#include "planner/choose.hpp"
#include "planner/clock.hpp"

namespace shunt {

namespace {

/// The ways that have no buffers of their own.
constexpr std::array kStraightWays{kStraight, kStraightOnce, kNative};

/// Executions with what the trials have just found, before the ranks agree for the first time.
constexpr int kTrusted = 64;

bool was_tried(const PlanChoice& choice, std::string_view way) {
  return std::ranges::count(choice.trials, way, &Trial::algorithm) > 0;
}

/// Those that were tried; what was chosen comes first.
std::vector<std::string> ways_of(const PlanChoice& choice) {
  std::vector<std::string> ways{choice.algorithm};
  for (const char* way : kStraightWays) {
    if (way != choice.algorithm && was_tried(choice, way)) ways.emplace_back(way);
  }
  return ways;
}

}  // namespace

bool LearningPlan::can_learn(const PlanChoice& choice, const Options& asked) {
  if (kSimulated || asked.mode == Mode::blocking || asked.memory > 0) return false;
  if (choice.effort == Effort::estimate || !was_tried(choice, kStraightOnce)) return false;
  return was_tried(choice, choice.algorithm) &&
         std::ranges::count(kStraightWays, choice.algorithm) > 0;
}

LearningPlan::LearningPlan(std::shared_ptr<Context> context, const PlanChoice& choice,
                           const Make& make)
    : PlannedExchange(std::move(context)), names_(ways_of(choice)), learner_(names_) {
  for (const std::string& name : names_) ways_.push_back(make(name));
  (void)learner_.settle_on(choice.algorithm, seconds_of(choice));
  learner_.trust(kTrusted);
  take(0);
}

LearningPlan::~LearningPlan() {
  if (agreement_ != MPI_REQUEST_NULL && mpi_is_running()) {
    MPI_Wait(&agreement_, MPI_STATUS_IGNORE);
  }
}

void LearningPlan::take(std::size_t way) {
  way_ = way;
  // Packed copies of the buffers are counted by whoever makes them.
  const Bytes others = counters.memory - memory_of_ways_;
  memory_of_ways_ = 0;
  counters = ways_[way]->counters;
  counters.chosen = names_[way];
  counters.peak_shared = 0;
  for (const auto& each : ways_) {
    memory_of_ways_ += each->counters.memory;
    counters.peak_shared += each->counters.peak_shared;
  }
  counters.memory = others + memory_of_ways_;
}

bool LearningPlan::begin() {
  timed_ = false;
  if (learner_.is_due()) {
    begin_agreement();
  } else {
    const std::string& name = learner_.take();
    if (name != names_[way_]) {
      take(static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin()));
    }
    timed_ = learner_.is_timed();
  }
  const double began = timed_ ? seconds_now() : 0;
  over_ = !begin_of(*ways_[way_]);
  if (timed_) own_seconds_ += seconds_now() - began;
  return !over_ || agreement_ != MPI_REQUEST_NULL;
}

/// The ranks tell each other what the timed executions took, and the last agreement.
void LearningPlan::begin_agreement() {
  own_[0] = own_seconds_;
  own_[1] = -agreement_cost_;
  own_[2] = agreement_cost_;
  const double began = seconds_now();
  check_mpi(MPI_Iallreduce(own_, most_, 3, MPI_DOUBLE, MPI_MAX, context().comm(), &agreement_),
            "MPI_Iallreduce");
  agreement_cost_ = seconds_now() - began;
  waits_since_ = 0;
}

bool LearningPlan::advance(bool wait) {
  if (!over_) over_ = advance_way(wait);
  if (!over_ || !end_agreement(wait)) return false;
  // One that failed before its end cannot be started again, and so this one cannot.
  if (!fault_ || !is_under_way(*ways_[way_])) finish();
  if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
  return true;
}

bool LearningPlan::advance_way(bool wait) {
  const double began = timed_ ? seconds_now() : 0;
  bool over = true;
  try {
    over = ways_[way_]->advance(wait);
  } catch (...) {
    fault_ = std::current_exception();
  }
  if (timed_) own_seconds_ += seconds_now() - began;
  return over;
}

bool LearningPlan::end_agreement(bool wait) {
  if (agreement_ == MPI_REQUEST_NULL) return true;
  if (waits_since_ == 0) waits_since_ = seconds_now();
  int through = 1;
  if (wait) {
    check_mpi(MPI_Wait(&agreement_, MPI_STATUS_IGNORE), "MPI_Wait");
  } else {
    check_mpi(MPI_Test(&agreement_, &through, MPI_STATUS_IGNORE), "MPI_Test");
  }
  if (through == 0) return false;
  agreement_cost_ += seconds_now() - waits_since_;
  const bool is_news = most_[0] > 0 && learner_.note(most_[0], allowance_);
  learner_.assign({-most_[1], most_[2]}, allowance_);
  own_seconds_ = 0;
  if (is_news && context().rank() == 0 && is_verbose()) {
    say(fmt::format("a plan goes on with {}, {:.1f} us", learner_.leader(),
                    learner_.seconds() * 1e6));
  }
  return true;
}

}  // namespace shunt
