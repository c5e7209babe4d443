#include "learning/tuning_budget.hpp"

#include <algorithm>
#include <cmath>

namespace shunt {

namespace {

/// Of the time of all calls, what learning may add to it.
constexpr double kShare = 0.05;

/// What it may cost before it has earned anything: as much as so many calls, and no more seconds.
constexpr double kCallsInAdvance = 64;
constexpr double kSecondsInAdvance = 0.2;

}  // namespace

void TuningBudget::spend(double seconds, int calls, double extra) {
  seconds_ += seconds * calls;
  calls_ += calls;
  extra_ += extra;
}

double TuningBudget::debt() const {
  const double mean = calls_ > 0 ? seconds_ / calls_ : 0;
  return extra_ - std::min(kCallsInAdvance * mean, kSecondsInAdvance) - kShare * seconds_;
}

int TuningBudget::calls_to_earn(double more, int most) const {
  const double earned_in_a_call = calls_ > 0 ? kShare * seconds_ / calls_ : 0;
  const double wanted = debt() + more;
  if (wanted <= 0) return 1;
  if (wanted >= earned_in_a_call * most) return most;
  return std::clamp(static_cast<int>(std::ceil(wanted / earned_in_a_call)), 1, most);
}

}  // namespace shunt
