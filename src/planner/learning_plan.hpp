// A plan of "auto" that goes on learning while it is executed.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include "engine/planned_exchange.hpp"
#include "learning/learner.hpp"
#include "model/configuration.hpp"
#include "planner/trials.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// A plan that keeps all configurations without buffers of their own that were tried, and changes
/// to the one that is fastest: straight through shared memory, straight by single copies, and MPI's
/// own. The fastest when a plan was made need not be so later, since the time of copies through
/// shared memory depends on where the ranks run.
///
/// The ranks agree from time to time on what executions took (`Learner`). Starting a plan does not
/// wait for other ranks, so the agreement is under way with an execution, which is over when both
/// are.
class LearningPlan final : public PlannedExchange {
 public:
  /// Makes the plan of a configuration. Collective.
  using Make = std::function<std::unique_ptr<PlannedExchange>(const Configuration& configuration)>;

  /// Whether there is something to learn about a plan that was chosen so.
  [[nodiscard]] static bool can_learn(const PlanChoice& choice, const Options& asked);

  /// Collective. Begins with what was chosen for a caller that `asked` for that.
  LearningPlan(std::shared_ptr<Context> context, const PlanChoice& choice, const Options& asked,
               const Make& make);
  ~LearningPlan() override;

  bool advance(bool wait) override;

 private:
  bool begin() override;
  void begin_agreement();
  [[nodiscard]] bool advance_current(bool wait);
  [[nodiscard]] bool end_agreement(bool wait);
  void take(std::size_t candidate);

  [[nodiscard]] PlannedExchange& current() { return *plans_[current_]; }
  [[nodiscard]] std::string text_of(std::size_t candidate) const {
    return configuration_text(candidates_[candidate], asked_);
  }

  Options asked_;
  std::vector<Configuration> candidates_;
  std::vector<std::unique_ptr<PlannedExchange>> plans_;  ///< of the candidates
  Bytes memory_of_plans_ = 0;                            ///< counted in `counters`
  std::size_t current_ = 0;                              ///< the one that is under way, or was last
  Learner learner_;
  /// The budget of this plan alone: plans that are waited for in another order on another rank
  /// learn in that order.
  TuningBudget budget_;

  bool over_ = false;         ///< whether its exchange is over
  std::exception_ptr fault_;  ///< the error in which it ended, if it did
  bool timed_ = false;
  /// Seconds in calls of the timed executions since the last agreement, on this rank.
  double own_seconds_ = 0;

  MPI_Request agreement_ = MPI_REQUEST_NULL;
  double own_[3] = {0, 0, 0};
  double most_[3] = {0, 0, 0};
  double waits_since_ = 0;     ///< when it began to wait for the agreement alone; 0: not yet
  double agreement_cost_ = 0;  ///< seconds that the last one took this rank
};

}  // namespace shunt
