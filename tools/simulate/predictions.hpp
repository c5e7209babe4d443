// What the planner's model expects of the ways to make an exchange.
#pragma once

#include <string>

#include "model/profile.hpp"
#include "simulation/expected_time.hpp"

namespace shunt {

/// In seconds.
struct Prediction {
  double from_traffic;  ///< every block followed on its way
  double by_bounds;     ///< from what the ranks of a call can agree on: what the planner goes by
};

/// Predicts ways to exchange one traffic. Refers to all that it is made from.
class Predictor {
 public:
  /// `element` is the size of an element in bytes.
  Predictor(const Profile& profile, const Machine& machine, const Traffic& traffic, Bytes element);

  /// Of MPI_Alltoallv.
  [[nodiscard]] Prediction native() const;

  /// Throws Error(argument) where the algorithm cannot be had, or its blocks not be followed.
  [[nodiscard]] Prediction of(const std::string& algorithm, Bytes grain, CallForm form) const;

 private:
  const Profile& profile_;
  const Machine& machine_;
  const Traffic& traffic_;
  Bytes element_;
  TrafficSummary summary_;
};

/// When and where the constants were measured, "2026-11-22: 8 ranks on 1 node"; or that nobody has.
[[nodiscard]] std::string words_of_origin(const Profile& profile);

}  // namespace shunt
