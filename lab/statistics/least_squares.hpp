// Coefficients that explain what was measured.
#pragma once

#include <vector>

namespace shunt {

/// Something that took `measured`, more than 0, and should be the sum of its amounts, each times a
/// coefficient.
struct Observation {
  std::vector<double> amounts;  ///< as many in each, none negative
  double measured;
};

/// Returns the coefficients, none negative, with which the sums differ from what was measured by
/// the least factors, in the sense of least squares, in which a few large factors count less. Twice
/// as much is as wrong as half, and a short exchange counts as much as a long one. A coefficient
/// whose amounts are all 0 is 0.
[[nodiscard]] std::vector<double> fit_relative(const std::vector<Observation>& observations);

}  // namespace shunt
