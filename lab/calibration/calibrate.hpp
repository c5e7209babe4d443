// Measures what the planner's model has to know of this machine and this MPI library.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "context/context.hpp"
#include "lab/calibration/cost_fit.hpp"
#include "model/profile.hpp"

namespace shunt {

/// On rank 0; of the others only the profile's site is of any use.
struct Calibration {
  Profile profile;
  std::vector<Calibrated> exchanges;
  double seconds = 0;  ///< that all of it took
};

struct CalibrationSettings {
  double seconds = 20;  ///< for all of it, about
  /// Called on rank 0 with the share that is done, from 0 to 1.
  std::function<void(double share)> progress = [](double) {};
};

/// Collective over the communicator: makes exchanges of many kinds, by turns, and fits the costs of
/// the model to their times.
[[nodiscard]] Calibration calibrate(const std::shared_ptr<Context>& context,
                                    const CalibrationSettings& settings);

}  // namespace shunt
