// How far predictions are from what was measured.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace shunt {

class ModelError {
 public:
  /// Both in seconds. Nothing is known of what took no time.
  void add(double predicted, double measured);

  /// Factors of at least 1, by which predictions were too long or too short.
  [[nodiscard]] double median() const;
  [[nodiscard]] double worst() const;

  /// What follows "the model is".
  [[nodiscard]] std::string words() const;
  [[nodiscard]] nlohmann::json json() const;

 private:
  std::vector<double> factors_;
};

}  // namespace shunt
