// How far predictions are from what was measured.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace shunt {

class ModelError {
 public:
  /// Adds a prediction and a measurement, both in seconds. Ignores what took no time.
  void add(double predicted, double measured);

  /// Whether nothing was added.
  [[nodiscard]] bool empty() const { return ratios_.empty(); }

  /// Factors of at least 1, by which predictions were too long or too short.
  [[nodiscard]] double median() const;
  [[nodiscard]] double worst() const;

  /// The median of predicted over measured: what all have in common, as where the machine is slower
  /// now than when it was measured.
  [[nodiscard]] double common() const;
  /// The median factor that is left when all predictions are corrected by that.
  [[nodiscard]] double median_apart() const;

  /// What follows "the model is": a line and a half.
  [[nodiscard]] std::string words() const;
  [[nodiscard]] nlohmann::json json() const;

 private:
  /// In ascending order: by how much predictions are off, corrected by a factor.
  [[nodiscard]] std::vector<double> factors(double correction) const;

  std::vector<double> ratios_;  ///< predicted over measured, ascending
};

}  // namespace shunt
