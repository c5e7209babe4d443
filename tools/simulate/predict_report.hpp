// How `shunt predict` compares what is expected of each configuration with what it took.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic.hpp"
#include "tools/common/model_error.hpp"
#include "tools/simulate/predictions.hpp"

namespace shunt {

/// One way to make the exchange.
struct PredictedWay {
  std::string algorithm;
  std::string form;  ///< empty of MPI's own
  Prediction predicted;
  std::optional<double> measured;  ///< in seconds
};

/// Prints what is said about each traffic, or gathers it for a program.
class PredictReport {
 public:
  struct Settings {
    int element;  ///< bytes
    int rounds;   ///< in which all candidates were measured; 0: they were not
    bool json;
  };

  /// `source`: by which constants.
  PredictReport(const Settings& settings, std::string source);

  void add(const Traffic& traffic, const TrafficShape& shape,
           const std::vector<PredictedWay>& candidates);

  /// After the last traffic.
  void finish() const;

 private:
  [[nodiscard]] bool measured() const { return settings_.rounds > 0; }

  Settings settings_;
  std::string source_;
  nlohmann::json traffics_ = nlohmann::json::array();
  ModelError error_;
  ModelError bounds_error_;
};

}  // namespace shunt
