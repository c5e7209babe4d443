#include "lab/picture/frame.hpp"

#include <algorithm>
#include <cmath>

namespace shunt {

namespace {

constexpr double kTitleSize = 16;
constexpr double kTextSize = 12;
constexpr double kLineHeight = 18;
constexpr int kSteps = 64;  ///< of a bar of shades

}  // namespace

double draw_title(Svg& svg, std::string_view title, std::string_view line) {
  svg.text({kMargin, kMargin + kTitleSize}, title, {.size = kTitleSize, .bold = true});
  svg.text({kMargin, kMargin + kTitleSize + kLineHeight + 2}, line);
  return kMargin + kTitleSize + 2 * kLineHeight;
}

double title_width(std::string_view title, std::string_view line) {
  return 2 * kMargin + std::max(text_width(title, kTitleSize * 1.08), text_width(line, kTextSize));
}

double draw_legend(Svg& svg, Point at, double right, std::span<const LegendEntry> entries) {
  Point place = at;
  for (const LegendEntry& entry : entries) {
    const double width = 18 + text_width(entry.name, kTextSize) + 14;
    if (place.x > at.x && place.x + width > right) place = {at.x, place.y + kLineHeight};
    svg.rectangle({place.x, place.y, 12, 12}, entry.colour.hex());
    svg.text({place.x + 18, place.y + 10}, entry.name);
    place.x += width;
  }
  return place.y - at.y + kLineHeight;
}

double draw_shades(Svg& svg, Point at, double width, const Scale& scale, std::string_view name) {
  const double top = at.y + kLineHeight;
  svg.text({at.x, at.y + kTextSize}, name);
  for (int k = 0; k < kSteps; ++k) {
    // One pixel wider, so that no gaps show; the next step covers it.
    const double step = width / kSteps;
    svg.rectangle({at.x + k * step, top, k + 1 < kSteps ? step + 1 : step, 12},
                  shade(static_cast<double>(k) / (kSteps - 1)).hex());
  }
  for (const Tick& tick : scale.ticks(std::max(2, static_cast<int>(width / 60)))) {
    const double x = at.x + width * scale.position(tick.value);
    svg.line({x, top + 12}, {x, top + 16}, {});
    svg.text({x, top + 28}, tick.label, {.size = 10, .anchor = Anchor::middle});
  }
  return kLineHeight + 12 + kLineHeight;
}

int label_every(double spacing, double least) {
  int every = 1;
  // 1, 2, 4, 8, 16, ...: places that ranks of powers of two share.
  while (every * spacing < least) every *= 2;
  return every;
}

}  // namespace shunt
