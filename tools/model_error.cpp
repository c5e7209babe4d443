#include "model_error.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace shunt {

void ModelError::add(double predicted, double measured) {
  if (predicted <= 0 || measured <= 0) return;
  const double factor = std::max(predicted / measured, measured / predicted);
  factors_.insert(std::ranges::upper_bound(factors_, factor), factor);
}

double ModelError::median() const {
  return factors_.empty() ? 1 : factors_[(factors_.size() - 1) / 2];
}

double ModelError::worst() const { return factors_.empty() ? 1 : factors_.back(); }

std::string ModelError::words() const {
  return fmt::format("off by a factor of {:.2f} in the median, {:.2f} at worst", median(), worst());
}

nlohmann::json ModelError::json() const { return {{"median", median()}, {"worst", worst()}}; }

}  // namespace shunt
