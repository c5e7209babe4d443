#include "lab/picture/cells.hpp"

#include <fmt/format.h>

namespace shunt {

void Cells::add(int column, int row, const Colour& colour) {
  std::vector<Run>& runs = runs_[colour.hex()];
  const bool goes_on = !apart_ && !runs.empty() && runs.back().row == row &&
                       runs.back().column + runs.back().length == column;
  if (goes_on) {
    ++runs.back().length;
  } else {
    runs.push_back({column, row, 1});
  }
}

void Cells::draw(Svg& svg, Point corner, double width, double height, std::string_view kind) const {
  // A run is a line from the middle of its row's left side; its width is the height of the row.
  svg.begin_group(
      fmt::format("class=\"{}\" transform=\"translate({} {}) scale({} {})\" fill=\"none\" "
                  "stroke-width=\"{}\"{}",
                  kind, svg_number(corner.x + (apart_ ? width * 0.04 : 0)),
                  svg_number(corner.y + height / 2), svg_number(width), svg_number(height),
                  apart_ ? "0.88" : "1", apart_ ? "" : " shape-rendering=\"crispEdges\""));
  for (const auto& [colour, runs] : runs_) {
    std::string commands;
    for (const Run& run : runs) {
      commands += apart_ ? fmt::format("M{} {}h.92", run.column, run.row)
                         : fmt::format("M{} {}h{}", run.column, run.row, run.length);
    }
    svg.path(commands, fmt::format("stroke=\"{}\"", colour));
  }
  svg.end_group();
}

}  // namespace shunt
