// A plan of "auto" that goes on learning while it is executed.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include "exchange/planned_exchange.hpp"
#include "learning/learner.hpp"
#include "planner/trials.hpp"
#include "shunt/options.hpp"

namespace shunt {

/// What was the fastest when a plan was made need not be so later: how long two copies through
/// shared memory take depends on where the ranks run. So a plan keeps all ways to go straight that
/// were tried: through shared memory, by single copies, and MPI's own. None of them has buffers,
/// but for what the ranks share.
///
/// The ranks agree from time to time on what executions took (`Learner`). Starting a plan waits for
/// nobody, so the agreement is under way together with an execution, which is over when both are.
class LearningPlan final : public PlannedExchange {
 public:
  /// Makes the plan of a way (`way_text`). Collective.
  using Make = std::function<std::unique_ptr<PlannedExchange>(const std::string& way)>;

  /// Whether there is something to learn about a plan that was chosen so.
  [[nodiscard]] static bool can_learn(const PlanChoice& choice, const Options& asked);

  /// Collective. Begins with what was chosen.
  LearningPlan(std::shared_ptr<YardState> yard, const PlanChoice& choice, const Make& make);
  ~LearningPlan() override;

  bool advance(bool wait) override;

 private:
  bool begin() override;
  void begin_agreement();
  [[nodiscard]] bool advance_way(bool wait);
  [[nodiscard]] bool end_agreement(bool wait);
  void take(std::size_t way);

  std::vector<std::string> names_;
  std::vector<std::unique_ptr<PlannedExchange>> ways_;
  std::size_t way_ = 0;  ///< the one that is under way, or was last
  Learner learner_;
  /// Of its own: plans that are waited for in another order on another rank learn in that order.
  Allowance allowance_;

  bool over_ = false;         ///< whether the way's exchange is over
  std::exception_ptr fault_;  ///< in which it ended
  bool timed_ = false;
  /// In calls of the timed executions since the last agreement, on this rank.
  double own_seconds_ = 0;

  MPI_Request agreement_ = MPI_REQUEST_NULL;
  double own_[3] = {0, 0, 0};
  double most_[3] = {0, 0, 0};
  double waits_since_ = 0;     ///< for the agreement alone; 0: not yet
  double agreement_cost_ = 0;  ///< seconds that the last one took this rank
};

}  // namespace shunt
