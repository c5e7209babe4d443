// What the planner's model expects of the configurations of an exchange.
#pragma once

#include <string>

#include "lab/simulation/followed_work.hpp"
#include "model/profile.hpp"

namespace shunt {

/// A predicted time, in seconds.
struct Prediction {
  double from_traffic;  ///< every block followed from stage to stage
  double by_bounds;     ///< from what the ranks of a call can agree on: what the planner goes by
};

/// Predicts ways to exchange one traffic. Refers to all that it is made from.
class Predictor {
 public:
  /// `element` is the size of an element in bytes.
  Predictor(const Profile& profile, const Machine& machine, const Traffic& traffic, Bytes element);

  /// Predicts MPI_Alltoallv.
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

/// Returns when and where the constants were measured, "2026-11-22: 8 ranks on 1 node"; or that
/// they were not.
[[nodiscard]] std::string words_of_origin(const Profile& profile);

}  // namespace shunt
