#include "lab/picture/svg.hpp"

#include <fmt/format.h>

namespace shunt {

namespace {

/// Text as XML has it. What XML cannot hold, which are control characters, becomes a question mark.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
  }
  return out;
}

std::string class_of(std::string_view kind) {
  return kind.empty() ? "" : fmt::format(" class=\"{}\"", escaped(kind));
}

std::string attributes_of(const Stroke& stroke) {
  std::string text = fmt::format(" stroke=\"{}\"", stroke.colour);
  if (stroke.width != 1) text += fmt::format(" stroke-width=\"{}\"", svg_number(stroke.width));
  if (!stroke.dashes.empty()) text += fmt::format(" stroke-dasharray=\"{}\"", stroke.dashes);
  return text;
}

std::string list_of(std::span<const Point> points) {
  std::string text;
  for (const Point& point : points) {
    if (!text.empty()) text += ' ';
    text += svg_number(point.x) + ',' + svg_number(point.y);
  }
  return text;
}

}  // namespace

std::string svg_number(double number) {
  std::string text = fmt::format("{:.2f}", number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

double text_width(std::string_view text, double size) {
  return 0.58 * size * static_cast<double>(text.size());
}

void Svg::rectangle(const Rectangle& box, std::string_view fill, std::string_view kind) {
  body_ += fmt::format("<rect{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                       class_of(kind), svg_number(box.x), svg_number(box.y), svg_number(box.width),
                       svg_number(box.height), fill);
}

void Svg::line(Point from, Point to, const Stroke& stroke, std::string_view kind) {
  body_ += fmt::format("<line{} x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", class_of(kind),
                       svg_number(from.x), svg_number(from.y), svg_number(to.x), svg_number(to.y),
                       attributes_of(stroke));
}

void Svg::polyline(std::span<const Point> points, const Stroke& stroke) {
  body_ += fmt::format("<polyline points=\"{}\" fill=\"none\"{}/>\n", list_of(points),
                       attributes_of(stroke));
}

void Svg::polygon(std::span<const Point> points, std::string_view fill) {
  body_ += fmt::format("<polygon points=\"{}\" fill=\"{}\"/>\n", list_of(points), fill);
}

void Svg::circle(Point centre, double radius, std::string_view fill) {
  body_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\"/>\n", svg_number(centre.x),
                       svg_number(centre.y), svg_number(radius), fill);
}

void Svg::path(std::string_view commands, std::string_view attributes) {
  body_ += fmt::format("<path d=\"{}\" {}/>\n", commands, attributes);
}

void Svg::text(Point at, std::string_view text, const TextStyle& style) {
  std::string attributes;
  if (style.size != 12) attributes += fmt::format(" font-size=\"{}\"", svg_number(style.size));
  if (style.anchor == Anchor::middle) attributes += " text-anchor=\"middle\"";
  if (style.anchor == Anchor::end) attributes += " text-anchor=\"end\"";
  if (style.bold) attributes += " font-weight=\"bold\"";
  if (style.ink != kInk) attributes += fmt::format(" fill=\"{}\"", style.ink);
  if (style.upright) {
    attributes +=
        fmt::format(" transform=\"rotate(-90 {} {})\"", svg_number(at.x), svg_number(at.y));
  }
  body_ += fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", svg_number(at.x), svg_number(at.y),
                       attributes, escaped(text));
}

void Svg::begin_group(std::string_view attributes) { body_ += fmt::format("<g {}>\n", attributes); }

void Svg::end_group() { body_ += "</g>\n"; }

std::string Svg::finish(double width, double height, std::string_view title) const {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"{2}\">\n"
      "<title>{3}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"{4}\"/>\n"
      "{5}</svg>\n",
      svg_number(width), svg_number(height), kInk, escaped(title), kPaper, body_);
}

}  // namespace shunt
