// Curves over one or more pairs of axes, as the papers' figures have them.
#pragma once

#include <string>
#include <vector>

#include "lab/picture/scale.hpp"
#include "lab/picture/svg.hpp"

namespace shunt {

struct Axis {
  std::string label;
  Spacing spacing = Spacing::linear;
  Unit unit = Unit::none;
};

/// Points with ascending x, in the units of the axes.
struct Curve {
  std::string name;
  std::vector<Point> points;
};

/// One pair of axes. Curves of the same place in their panels have the same colour.
struct Panel {
  std::string title;
  std::vector<Curve> curves;
};

struct LineChart {
  std::string title;
  std::string line;  ///< below the title
  Axis x;
  Axis y;
  std::vector<Panel> panels;
};

/// The chart as SVG: two panels side by side, further ones below. Every panel has axes of its own.
/// Throws Error(argument) where a curve has no points, or one that a logarithmic axis has no place
/// for, or where the panels are not of the same curves.
[[nodiscard]] std::string draw_lines(const LineChart& chart);

}  // namespace shunt
