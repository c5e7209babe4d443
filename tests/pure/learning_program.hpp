// A program whose calls take what a test says, and which learns from them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "learning/learner.hpp"

namespace shunt {

/// Seconds of the next call of the candidate of this name.
using CallSeconds = std::function<double(const std::string& name)>;

inline constexpr double kAgreementSeconds = 1e-6;

/// Calls that all take as long as the machine says. The learner's candidates have names here.
class LearningProgram {
 public:
  LearningProgram(std::vector<std::string> candidates, CallSeconds machine,
                  TimedCalls timed = TimedCalls::warm, const std::string& fallback = "")
      : names_(std::move(candidates)),
        machine_(std::move(machine)),
        learner(names_.size(), timed, number_of(fallback)) {}

  /// Makes a call, and returns what it was made with.
  std::string call() {
    const bool agrees = learner.is_due();
    if (agrees) {
      if (told_ > 0 && learner.note(told_, budget)) news.push_back(leader());
      told_ = 0;
      learner.assign({agreement, agreement}, budget);
      total += agreement;
      ++agreements;
    }
    const std::string name = names_[learner.take()];
    const double seconds = machine_(name);
    if (learner.is_timed()) told_ += seconds;
    total += seconds;
    ++calls[name];
    return name;
  }

  void call_often(int times) {
    for (int k = 0; k < times; ++k) (void)call();
  }

  void change(CallSeconds machine) { machine_ = std::move(machine); }

  [[nodiscard]] std::string leader() const { return names_[learner.leader()]; }

  bool settle_on(const std::string& name, double seconds) {
    return learner.settle_on(number_of(name).value(), seconds);
  }

  [[nodiscard]] std::string name_of(std::size_t candidate) const { return names_[candidate]; }

 private:
  [[nodiscard]] std::optional<std::size_t> number_of(const std::string& name) const {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names_.begin());
  }

  std::vector<std::string> names_;
  CallSeconds machine_;
  double told_ = 0;

 public:
  Learner learner;
  TuningBudget budget;
  double agreement = kAgreementSeconds;
  double total = 0;
  int agreements = 0;
  std::map<std::string, int> calls;
  std::vector<std::string> news;  ///< what it settled on
};

/// The same seconds each time, by candidate.
inline CallSeconds takes(std::map<std::string, double> seconds) {
  return [seconds = std::move(seconds)](const std::string& name) { return seconds.at(name); };
}

}  // namespace shunt
