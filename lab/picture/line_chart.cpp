#include "lab/picture/line_chart.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "lab/picture/frame.hpp"
#include "shunt/error.hpp"

namespace shunt {

namespace {

constexpr double kPanelWidth = 330;
constexpr double kPanelHeight = 250;
constexpr double kChartLeft = 64;   ///< for the labels of the y axis
constexpr double kBelow = 62;       ///< for the labels of the x axis
constexpr double kChartAbove = 26;  ///< for the panel's title
constexpr double kChartGap = 24;

constexpr std::array<std::string_view, 4> kDashes{"", "6 3", "2 3", "8 3 2 3"};

Scale scale_of(const Panel& panel, const Axis& axis, double Point::*coordinate) {
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const Curve& curve : panel.curves) {
    for (const Point& point : curve.points) {
      least = std::min(least, point.*coordinate);
      most = std::max(most, point.*coordinate);
    }
  }
  return {axis.spacing, least, most, axis.unit};
}

void check(const LineChart& chart) {
  auto fits = [](const Axis& axis, double value) {
    return axis.spacing == Spacing::linear ? value >= 0 : value > 0;
  };
  if (chart.panels.empty() || chart.panels.front().curves.empty()) {
    throw Error(ErrorKind::argument, fmt::format("there is no curve in \"{}\"", chart.title));
  }
  for (const Panel& panel : chart.panels) {
    if (panel.curves.size() != chart.panels.front().curves.size()) {
      throw Error(ErrorKind::argument,
                  fmt::format("the panel \"{}\" has other curves than the first", panel.title));
    }
    for (const Curve& curve : panel.curves) {
      const bool all_fit = std::ranges::all_of(curve.points, [&](const Point& point) {
        return fits(chart.x, point.x) && fits(chart.y, point.y);
      });
      if (curve.points.empty() || !all_fit) {
        throw Error(ErrorKind::argument,
                    fmt::format("the curve \"{}\" of \"{}\" has points that are not on its axes",
                                curve.name, panel.title));
      }
    }
  }
}

/// A mark on a point, of another form for each curve.
void draw_mark(Svg& svg, Point at, std::size_t form, std::string_view colour) {
  constexpr double kReach = 3.6;
  const Point left{at.x - kReach, at.y};
  const Point right{at.x + kReach, at.y};
  switch (form % 4) {
    case 0:
      svg.circle(at, 3.2, colour);
      break;
    case 1:
      svg.rectangle({at.x - 3, at.y - 3, 6, 6}, colour);
      break;
    case 2:
      svg.polygon(
          std::array{Point{at.x, at.y - kReach}, Point{right.x, at.y + 3}, Point{left.x, at.y + 3}},
          colour);
      break;
    default:
      svg.polygon(std::array{left, Point{at.x, at.y - kReach}, right, Point{at.x, at.y + kReach}},
                  colour);
  }
}

class PanelDrawing {
 public:
  PanelDrawing(Svg& svg, const LineChart& chart, const Panel& panel, Point corner)
      : svg_(svg),
        chart_(chart),
        panel_(panel),
        corner_(corner),
        x_(scale_of(panel, chart.x, &Point::x)),
        y_(scale_of(panel, chart.y, &Point::y)) {}

  void draw() {
    draw_axes();
    for (std::size_t i = 0; i < panel_.curves.size(); ++i) draw_curve(i);
  }

 private:
  [[nodiscard]] Point place(const Point& value) const {
    return {corner_.x + kPanelWidth * x_.position(value.x),
            corner_.y + kPanelHeight * (1 - y_.position(value.y))};
  }

  void draw_axes() {
    const double bottom = corner_.y + kPanelHeight;
    const double right = corner_.x + kPanelWidth;
    svg_.text({corner_.x, corner_.y - 8}, panel_.title, {.bold = true});
    for (const Tick& tick : x_.ticks(7)) {
      const double x = place({tick.value, y_.least()}).x;
      svg_.line({x, corner_.y}, {x, bottom}, {.colour = kFaint});
      svg_.text({x, bottom + 16}, tick.label, {.size = 11, .anchor = Anchor::middle});
    }
    for (const Tick& tick : y_.ticks(6)) {
      const double y = place({x_.least(), tick.value}).y;
      svg_.line({corner_.x, y}, {right, y}, {.colour = kFaint});
      svg_.text({corner_.x - 6, y + 4}, tick.label, {.size = 11, .anchor = Anchor::end});
    }
    svg_.line({corner_.x, corner_.y}, {corner_.x, bottom}, {});
    svg_.line({corner_.x, bottom}, {right, bottom}, {});
    svg_.text({corner_.x + kPanelWidth / 2, bottom + 36}, chart_.x.label,
              {.anchor = Anchor::middle});
    svg_.text({corner_.x - kChartLeft + 12, corner_.y + kPanelHeight / 2}, chart_.y.label,
              {.anchor = Anchor::middle, .upright = true});
  }

  void draw_curve(std::size_t i) {
    const Curve& curve = panel_.curves[i];
    const std::string colour =
        kind_colour(static_cast<int>(i), static_cast<int>(panel_.curves.size())).hex();
    std::vector<Point> places;
    for (const Point& point : curve.points) places.push_back(place(point));
    svg_.polyline(places, {.colour = colour, .width = 1.8, .dashes = kDashes[i % kDashes.size()]});
    for (const Point& at : places) draw_mark(svg_, at, i, colour);
  }

  Svg& svg_;
  const LineChart& chart_;
  const Panel& panel_;
  Point corner_;  ///< upper left
  Scale x_;
  Scale y_;
};

double draw_curve_legend(Svg& svg, const Panel& panel, double top, double right) {
  double x = kMargin;
  double y = top;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const std::string& name = panel.curves[i].name;
    const double width = 38 + text_width(name, 12) + 16;
    if (x > kMargin && x + width > right) {
      x = kMargin;
      y += 18;
    }
    const std::string colour =
        kind_colour(static_cast<int>(i), static_cast<int>(panel.curves.size())).hex();
    svg.line({x, y + 6}, {x + 32, y + 6},
             {.colour = colour, .width = 1.8, .dashes = kDashes[i % kDashes.size()]});
    draw_mark(svg, {x + 16, y + 6}, i, colour);
    svg.text({x + 38, y + 10}, name);
    x += width;
  }
  return y - top + 18;
}

}  // namespace

std::string draw_lines(const LineChart& chart) {
  check(chart);
  const std::size_t abreast = std::min<std::size_t>(2, chart.panels.size());
  const double panel_width = kChartLeft + kPanelWidth + kChartGap;
  const double panel_height = kChartAbove + kPanelHeight + kBelow;
  const double width = std::max(2 * kMargin + static_cast<double>(abreast) * panel_width,
                                title_width(chart.title, chart.line));
  Svg svg;
  double top = draw_title(svg, chart.title, chart.line);
  top += draw_curve_legend(svg, chart.panels.front(), top + 8, width - kMargin) + 12;
  for (std::size_t i = 0; i < chart.panels.size(); ++i) {
    const std::size_t row = i / abreast;
    const std::size_t column = i % abreast;
    PanelDrawing(svg, chart, chart.panels[i],
                 {kMargin + static_cast<double>(column) * panel_width + kChartLeft,
                  top + static_cast<double>(row) * panel_height + kChartAbove})
        .draw();
  }
  const std::size_t rows = (chart.panels.size() + abreast - 1) / abreast;
  return svg.finish(width, top + static_cast<double>(rows) * panel_height, chart.title);
}

}  // namespace shunt
