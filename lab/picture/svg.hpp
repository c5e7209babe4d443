// Writes plain SVG: shapes and text, no scripts, no stylesheets, no fonts of its own.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lab/picture/colour.hpp"

namespace shunt {

/// In pixels from the upper left corner.
struct Point {
  double x = 0;
  double y = 0;
};

struct Rectangle {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

enum class Anchor { start, middle, end };

struct TextStyle {
  double size = 12;
  Anchor anchor = Anchor::start;
  bool bold = false;
  bool upright = false;  ///< reads from below upwards
  std::string_view ink = kInk;
};

/// What a line looks like; `dashes` as in SVG's stroke-dasharray, or empty.
struct Stroke {
  std::string_view colour = kInk;
  double width = 1;
  std::string_view dashes = {};
};

/// `number` with two decimals at most, and with a point in every locale.
[[nodiscard]] std::string svg_number(double number);

/// About how wide a text is.
[[nodiscard]] double text_width(std::string_view text, double size);

class Svg {
 public:
  /// `kind` names what a shape represents ("message"), for readers of the file; it may be empty.
  void rectangle(const Rectangle& box, std::string_view fill, std::string_view kind = {});
  void line(Point from, Point to, const Stroke& stroke, std::string_view kind = {});
  void polyline(std::span<const Point> points, const Stroke& stroke);
  /// A filled outline.
  void polygon(std::span<const Point> points, std::string_view fill);
  void circle(Point centre, double radius, std::string_view fill);
  /// Any path, with attributes of the caller.
  void path(std::string_view commands, std::string_view attributes);
  void text(Point at, std::string_view text, const TextStyle& style = {});

  /// Shapes until `end_group` have these attributes.
  void begin_group(std::string_view attributes);
  void end_group();

  /// Returns the whole document. `title` is its name for readers who do not see it.
  [[nodiscard]] std::string finish(double width, double height, std::string_view title) const;

 private:
  std::string body_;
};

}  // namespace shunt
