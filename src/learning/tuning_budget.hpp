// What learning may cost.
#pragma once

namespace shunt {

/// The time that learning may cost over all calls on a communicator: a share of the time that they
/// take, and at the beginning as much as a few calls.
class TuningBudget {
 public:
  /// Notes that `calls` calls took `seconds` each, of which `extra` in all would not have been
  /// spent without learning.
  void spend(double seconds, int calls, double extra);

  /// Whether there is something left for another trial.
  [[nodiscard]] bool suffices() const { return debt() <= 0; }

  /// The number of calls after which there is something left again, if they take as long as those
  /// before, and `more` seconds are spent at their end; from one to `most`.
  [[nodiscard]] int calls_to_earn(double more, int most) const;

 private:
  [[nodiscard]] double debt() const;

  double seconds_ = 0;
  double calls_ = 0;
  double extra_ = 0;
};

}  // namespace shunt
