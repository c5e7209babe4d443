// Samples of a time, and numbers in columns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace shunt::example {

struct Spread {
  double least;
  double median;
  double most;
};

/// `samples` must not be empty.
inline Spread spread_of(std::vector<double> samples) {
  std::ranges::sort(samples);
  const std::size_t n = samples.size();
  return {samples.front(), (samples[(n - 1) / 2] + samples[n / 2]) / 2, samples.back()};
}

/// The ending of the noun behind `number`.
inline const char* plural(auto number) { return number == 1 ? "" : "s"; }

/// `number` in at most `width` characters, 5 or more, with up to `decimals` after the point: a
/// column may be full, but not run into the next one.
inline std::string number_text(double number, int decimals, std::size_t width) {
  for (; decimals >= 0; --decimals) {
    std::string text = fmt::format("{:.{}f}", number, decimals);
    if (text.size() <= width) return text;
  }
  return fmt::format("{:.0e}", number);
}

}  // namespace shunt::example
