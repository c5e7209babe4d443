// A schedule of a redistribution that takes the lengths of the messages into account.
#pragma once

#include <functional>
#include <vector>

#include "lab/proof/redistribution_checker.hpp"
#include "lab/schedules/length_colouring.hpp"
#include "schedule/redistribution_schedule.hpp"
#include "schedule/step.hpp"
#include "shunt/types.hpp"

namespace shunt {

/// The messages of a RedistributionSchedule in as many steps, but so that those of one step are of
/// about the same length. Making it lists all messages, and colours them.
class LengthSchedule {
 public:
  LengthSchedule(const RedistributionSchedule& schedule, LengthRule rule);

  [[nodiscard]] int step_count() const { return step_count_; }
  /// The steps in which a place sends, or receives, ascending.
  [[nodiscard]] const std::vector<Step>& sends(Rank sender) const {
    return sends_[static_cast<std::size_t>(sender)];
  }
  [[nodiscard]] const std::vector<Step>& receives(Rank receiver) const {
    return receives_[static_cast<std::size_t>(receiver)];
  }

 private:
  int step_count_;
  std::vector<std::vector<Step>> sends_;
  std::vector<std::vector<Step>> receives_;
};

/// What steps cost of which each begins when the one before has ended, in elements.
struct StepCost {
  Index longest = 0;  ///< the longest messages of all steps together
  Index busiest = 0;  ///< what the busiest place sends or receives: the least that `longest` can be

  /// 1 where nothing is sent.
  [[nodiscard]] double over_least() const {
    return busiest == 0 ? 1 : static_cast<double>(longest) / static_cast<double>(busiest);
  }
};

/// `elements` says how much a sender has for a receiver.
[[nodiscard]] StepCost step_cost(const PlacesSteps& steps,
                                 const std::function<Index(Rank, Rank)>& elements);

}  // namespace shunt
