// What stands around every picture: a title above, a legend that says what colours mean.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lab/picture/scale.hpp"
#include "lab/picture/svg.hpp"

namespace shunt {

inline constexpr double kMargin = 16;

/// Writes a title and a line below it; returns the height that they take, margin included.
double draw_title(Svg& svg, std::string_view title, std::string_view line);

/// The width that they need, margins included.
[[nodiscard]] double title_width(std::string_view title, std::string_view line);

/// One kind of thing and its colour.
struct LegendEntry {
  std::string name;
  Colour colour;
};

/// Squares with names, from `at` on, in lines that end before `right`; returns the height.
double draw_legend(Svg& svg, Point at, double right, std::span<const LegendEntry> entries);

/// A bar of all shades with round values below it, and `name` above it; returns the height.
double draw_shades(Svg& svg, Point at, double width, const Scale& scale, std::string_view name);

/// Returns k where of things drawn `spacing` apart every k-th is labelled, so that labels have
/// `least` room each.
[[nodiscard]] int label_every(double spacing, double least);

}  // namespace shunt
