#include "planner/learning_plan.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/say.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "mpi_calls/simulated.hpp"
#include "planner/choose.hpp"
#include "planner/clock.hpp"

namespace shunt {

namespace {

/// The configurations that have no buffers of their own.
std::vector<Configuration> without_buffers(const Options& asked) {
  return {with_algorithm(kStraight, asked), straight_once(asked), with_algorithm(kNative, asked)};
}

/// Executions with what the trials have just found, before the ranks agree for the first time.
constexpr int kTrusted = 64;

bool was_tried(const PlanChoice& choice, const Configuration& configuration) {
  return std::ranges::count(choice.trials, configuration, &Tried::configuration) > 0;
}

/// Those that were tried; what was chosen comes first.
std::vector<Configuration> candidates_of(const PlanChoice& choice, const Options& asked) {
  std::vector<Configuration> candidates{choice.configuration};
  for (const Configuration& each : without_buffers(asked)) {
    if (was_tried(choice, each)) append_new({each}, candidates);
  }
  return candidates;
}

}  // namespace

bool LearningPlan::can_learn(const PlanChoice& choice, const Options& asked) {
  if (kSimulated || asked.mode == Mode::blocking || asked.memory > 0) return false;
  if (choice.effort == Effort::estimate || !was_tried(choice, straight_once(asked))) return false;
  return was_tried(choice, choice.configuration) &&
         std::ranges::count(without_buffers(asked), choice.configuration) > 0;
}

LearningPlan::LearningPlan(std::shared_ptr<Context> context, const PlanChoice& choice,
                           const Options& asked, const Make& make)
    : PlannedExchange(std::move(context)),
      asked_(asked),
      candidates_(candidates_of(choice, asked)),
      learner_(candidates_.size()) {
  for (const Configuration& each : candidates_) plans_.push_back(make(each));
  (void)learner_.settle_on(0, seconds_of(choice));
  learner_.trust(kTrusted);
  take(0);
}

LearningPlan::~LearningPlan() {
  if (agreement_ != MPI_REQUEST_NULL && mpi_is_running()) {
    MPI_Wait(&agreement_, MPI_STATUS_IGNORE);
  }
}

void LearningPlan::take(std::size_t candidate) {
  current_ = candidate;
  // Packed copies of the buffers are counted by whoever makes them.
  const Bytes others = counters.memory - memory_of_plans_;
  memory_of_plans_ = 0;
  counters = current().counters;
  counters.chosen = text_of(candidate);
  counters.peak_shared = 0;
  for (const auto& each : plans_) {
    memory_of_plans_ += each->counters.memory;
    counters.peak_shared += each->counters.peak_shared;
  }
  counters.memory = others + memory_of_plans_;
}

bool LearningPlan::begin() {
  timed_ = false;
  if (learner_.is_due()) {
    begin_agreement();
  } else {
    const std::size_t candidate = learner_.take();
    if (candidate != current_) take(candidate);
    timed_ = learner_.is_timed();
  }
  const double began = timed_ ? seconds_now() : 0;
  over_ = !begin_of(current());
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
  if (!over_) over_ = advance_current(wait);
  if (!over_ || !end_agreement(wait)) return false;
  // One that failed before its end cannot be started again, and so this one cannot.
  if (!fault_ || !is_under_way(current())) finish();
  if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
  return true;
}

bool LearningPlan::advance_current(bool wait) {
  const double began = timed_ ? seconds_now() : 0;
  bool over = true;
  try {
    over = current().advance(wait);
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
  const bool is_news = most_[0] > 0 && learner_.note(most_[0], budget_);
  learner_.assign({-most_[1], most_[2]}, budget_);
  own_seconds_ = 0;
  if (is_news && context().rank() == 0 && is_verbose()) {
    say(fmt::format("a plan goes on with {}, {:.1f} us", text_of(learner_.leader()),
                    learner_.seconds() * 1e6));
  }
  return true;
}

}  // namespace shunt
