// Fits the costs of the planner's model to exchanges that were measured.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lab/traffic/traffic.hpp"
#include "model/machine.hpp"
#include "model/profile.hpp"

namespace shunt {

/// A kind of exchange that was timed, and what the fitted costs say about it.
struct Calibrated {
  std::string traffic;
  std::string algorithm;
  CallForm form;
  double measured;  ///< seconds of the slowest rank
  double expected;
};

class CostFit {
 public:
  CostFit(std::shared_ptr<const Machine> machine, const Site& site)
      : machine_(std::move(machine)), site_(site) {}

  /// Adds an exchange of `traffic` that took `seconds`.
  void add(const Traffic& traffic, const std::string& algorithm, CallForm form, double seconds);

  /// Fits the costs of each form to all exchanges of it (`fit_relative`). Those that took no time
  /// do not count.
  void fit(Profile& profile);

  /// Returns the exchanges in the order in which they were added. Their expected times are set once
  /// costs are fitted.
  [[nodiscard]] const std::vector<Calibrated>& exchanges() const { return exchanges_; }

 private:
  std::shared_ptr<const Machine> machine_;
  Site site_;
  std::vector<Calibrated> exchanges_;
  std::vector<std::vector<double>> amounts_;  ///< by exchange: what it needs of each cost
};

}  // namespace shunt
