#include "lab/picture/scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace shunt {

namespace {

bool is_binary(Unit unit) { return unit == Unit::bytes || unit == Unit::count; }

std::string label_of(double value, Unit unit) {
  if (unit == Unit::bytes) return bytes_text(value);
  if (unit == Unit::seconds) return seconds_text(value);
  return fmt::format("{:.6g}", value);
}

/// 1, 2 or 5 times a power of ten, or a power of two: the least that is no less than `step`.
double round_step(double step, Unit unit) {
  if (is_binary(unit)) return std::max(1.0, std::exp2(std::ceil(std::log2(step))));
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

Scale::Scale(Spacing spacing, double least, double most, Unit unit)
    : spacing_(spacing), least_(spacing == Spacing::linear ? 0 : least), most_(most), unit_(unit) {
  if (most_ <= 0) most_ = 1;
  if (spacing == Spacing::logarithmic && !(least_ > 0 && least_ < most_)) least_ = most_ / 2;
}

double Scale::position(double value) const {
  if (spacing_ == Spacing::linear) return value / most_;
  return value <= 0 ? 0 : std::log(value / least_) / std::log(most_ / least_);
}

std::vector<Tick> Scale::ticks(int wanted) const {
  std::vector<Tick> ticks;
  if (spacing_ == Spacing::linear) {
    const double step = round_step(most_ / wanted, unit_);
    for (int k = 0; k * step <= most_ * (1 + 1e-9); ++k) {
      ticks.push_back({k * step, label_of(k * step, unit_)});
    }
    return ticks;
  }
  const double base = is_binary(unit_) ? 2 : 10;
  const double first = std::ceil(std::log(least_) / std::log(base) - 1e-9);
  const double last = std::floor(std::log(most_) / std::log(base) + 1e-9);
  if (!is_binary(unit_) && last - first < 2) {  // few powers of ten: 2 and 5 times these too
    for (double exponent = first - 1; exponent <= last; ++exponent) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double value = factor * std::pow(base, exponent);
        if (value >= least_ && value <= most_) ticks.push_back({value, label_of(value, unit_)});
      }
    }
    if (ticks.size() > 1) return ticks;
    ticks.clear();
  }
  if (first >= last) {  // not two round values: label the ends
    return {{least_, label_of(least_, unit_)}, {most_, label_of(most_, unit_)}};
  }
  const double every = std::max(1.0, std::ceil((last - first) / wanted));
  for (double exponent = first; exponent <= last; exponent += every) {
    const double value = std::pow(base, exponent);
    ticks.push_back({value, label_of(value, unit_)});
  }
  return ticks;
}

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 6> kUnits{"", " KiB", " MiB", " GiB", " TiB", " PiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < kUnits.size(); ++unit) bytes /= 1024;
  return fmt::format("{:.4g}{}", bytes, kUnits[unit]);
}

std::string seconds_text(double seconds) {
  if (seconds == 0) return "0 s";
  for (const auto& [unit, length] : {std::pair{"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}}) {
    if (seconds >= length * (1 - 1e-9)) return fmt::format("{:.4g} {}", seconds / length, unit);
  }
  return fmt::format("{:.4g} ns", seconds / 1e-9);
}

}  // namespace shunt
