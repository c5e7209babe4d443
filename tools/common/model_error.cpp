#include "tools/common/model_error.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace shunt {

namespace {

/// Of values in ascending order; 1 if there are none.
double middle(const std::vector<double>& values) {
  return values.empty() ? 1 : values[(values.size() - 1) / 2];
}

}  // namespace

void ModelError::add(double predicted, double measured) {
  if (predicted <= 0 || measured <= 0) return;
  const double ratio = predicted / measured;
  ratios_.insert(std::ranges::upper_bound(ratios_, ratio), ratio);
}

std::vector<double> ModelError::factors(double correction) const {
  std::vector<double> factors;
  for (const double ratio : ratios_) {
    factors.push_back(std::max(ratio / correction, correction / ratio));
  }
  std::ranges::sort(factors);
  return factors;
}

double ModelError::median() const { return middle(factors(1)); }

double ModelError::worst() const { return ratios_.empty() ? 1 : factors(1).back(); }

double ModelError::common() const { return middle(ratios_); }

double ModelError::median_apart() const { return middle(factors(common())); }

std::string ModelError::words() const {
  return fmt::format(
      "off by a factor of {:.2f} in the median, {:.2f} at worst;\n"
      "apart from a factor of {:.2f} that all have in common, by {:.2f} in the median",
      median(), worst(), common(), median_apart());
}

nlohmann::json ModelError::json() const {
  return {{"median", median()},
          {"worst", worst()},
          {"common", common()},
          {"median_apart", median_apart()}};
}

}  // namespace shunt
