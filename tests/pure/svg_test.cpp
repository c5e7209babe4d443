// The writer of pictures: numbers, text, colours, scales, and charts of curves.
#include "lab/picture/svg.hpp"

#include <clocale>
#include <string>

#include <gtest/gtest.h>

#include "lab/picture/line_chart.hpp"
#include "lab/picture/scale.hpp"
#include "pure/occurrences.hpp"
#include "support/expect_error.hpp"

namespace shunt {
namespace {

using test::expect_error;
using test::occurrences;

std::vector<std::string> labels(const Scale& scale, int wanted) {
  std::vector<std::string> labels;
  for (const Tick& tick : scale.ticks(wanted)) labels.push_back(tick.label);
  return labels;
}

TEST(Svg, WritesNumbersShortAndWithAPoint) {
  EXPECT_EQ(svg_number(0), "0");
  EXPECT_EQ(svg_number(-0.001), "0");
  EXPECT_EQ(svg_number(100), "100");
  EXPECT_EQ(svg_number(1.5), "1.5");
  EXPECT_EQ(svg_number(-2.345), "-2.35");
  const std::string before = std::setlocale(LC_ALL, nullptr);
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where there is none, nothing changes
  EXPECT_EQ(svg_number(1234.25), "1234.25");
  std::setlocale(LC_ALL, before.c_str());
}

TEST(Svg, EscapesWhatXmlReserves) {
  Svg svg;
  svg.text({1, 2}, "a<b & \"c\">\x01");
  const std::string document = svg.finish(10, 20, "<title>");
  EXPECT_NE(document.find("a&lt;b &amp; &quot;c&quot;&gt;?</text>"), std::string::npos);
  EXPECT_NE(document.find("<title>&lt;title&gt;</title>"), std::string::npos);
  EXPECT_NE(document.find("width=\"10\" height=\"20\""), std::string::npos);
}

TEST(Colours, GoFromLightToDark) {
  auto light = [](const Colour& c) { return 0.299 * c.red + 0.587 * c.green + 0.114 * c.blue; };
  for (int k = 1; k <= 100; ++k) EXPECT_LT(light(shade(k / 100.0)), light(shade((k - 1) / 100.0)));
  EXPECT_EQ(shade(-1), shade(0));
  EXPECT_EQ(shade(2), shade(1));
  EXPECT_EQ(shade(0).hex(), "#fde725");
  EXPECT_EQ(shade(0).ink(), kInk);
  EXPECT_EQ(shade(1).ink(), kPaper);
}

TEST(Colours, DifferForEveryKind) {
  for (const int count : {1, 2, 7, 8, 40}) {
    for (int a = 0; a < count; ++a) {
      for (int b = 0; b < a; ++b) EXPECT_NE(kind_colour(a, count), kind_colour(b, count));
    }
  }
}

using Labels = std::vector<std::string>;

TEST(Scale, HasRoundTicks) {
  EXPECT_EQ(labels({Spacing::linear, 0, 100, Unit::none}, 5),
            (Labels{"0", "20", "40", "60", "80", "100"}));
  EXPECT_EQ(labels({Spacing::linear, 0, 3000, Unit::bytes}, 3), (Labels{"0", "1 KiB", "2 KiB"}));
  EXPECT_EQ(labels({Spacing::linear, 0, 0.25e-3, Unit::seconds}, 5),
            (Labels{"0 s", "50 us", "100 us", "150 us", "200 us", "250 us"}));
  EXPECT_EQ(labels({Spacing::logarithmic, 1, 4096, Unit::bytes}, 4),
            (Labels{"1", "8", "64", "512", "4 KiB"}));
  EXPECT_EQ(labels({Spacing::logarithmic, 2e-6, 2e-2, Unit::seconds}, 6),
            (Labels{"10 us", "100 us", "1 ms", "10 ms"}));
  EXPECT_EQ(labels({Spacing::logarithmic, 64, 4096, Unit::count}, 3),
            (Labels{"64", "256", "1024", "4096"}));
  EXPECT_EQ(labels({Spacing::logarithmic, 1.5e-3, 51e-3, Unit::seconds}, 6),
            (Labels{"2 ms", "5 ms", "10 ms", "20 ms", "50 ms"}));
  EXPECT_EQ(labels({Spacing::logarithmic, 48, 48, Unit::bytes}, 6), (Labels{"24", "48"}));
  EXPECT_EQ(labels({Spacing::linear, 0, 0, Unit::bytes}, 4), (Labels{"0", "1"}));
}

TEST(Scale, PlacesItsEndsAtZeroAndOne) {
  const Scale bytes(Spacing::logarithmic, 4, 1024, Unit::bytes);
  EXPECT_DOUBLE_EQ(bytes.position(4), 0);
  EXPECT_DOUBLE_EQ(bytes.position(64), 0.5);
  EXPECT_DOUBLE_EQ(bytes.position(1024), 1);
  EXPECT_DOUBLE_EQ(Scale(Spacing::linear, 5, 10, Unit::none).position(5), 0.5);
}

LineChart two_panels() {
  const Curve fast{"fast", {{1, 1}, {2, 2}, {4, 3}}};
  const Curve slow{"slow", {{1, 10}, {2, 20}, {4, 30}}};
  return {"A & B",
          "of two",
          {"bytes", Spacing::logarithmic, Unit::bytes},
          {"time", Spacing::linear, Unit::none},
          {{"left", {fast, slow}}, {"right", {fast, slow}}}};
}

TEST(LineChart, DrawsEveryCurveAndNamesItOnce) {
  const std::string chart = draw_lines(two_panels());
  EXPECT_EQ(occurrences(chart, "<polyline"), 4);
  EXPECT_EQ(occurrences(chart, "<circle"), 2 * 3 + 1);  // the first curve's marks, and its legend
  EXPECT_EQ(occurrences(chart, ">slow<"), 1);
  EXPECT_EQ(occurrences(chart, ">right<"), 1);
  EXPECT_EQ(occurrences(chart, "A &amp; B"), 2);
}

/// Of the right panel the slow curve ends in the upper right corner of the axes.
TEST(LineChart, PlacesPointsOnItsAxes) {
  const std::string chart = draw_lines(two_panels());
  const std::size_t last = chart.rfind("<polyline");
  const std::string points = chart.substr(last, chart.find('/', last) - last);
  EXPECT_NE(points.find("498,"), std::string::npos) << points;
  EXPECT_NE(points.find("663,"), std::string::npos) << points;
  EXPECT_NE(points.find(" 828,"), std::string::npos) << points;
}

TEST(LineChart, RefusesWhatItCannotDraw) {
  LineChart chart = two_panels();
  chart.panels[1].curves.pop_back();
  expect_error(ErrorKind::argument, "\"right\" has other curves",
               [&] { static_cast<void>(draw_lines(chart)); });
  chart = two_panels();
  chart.panels[0].curves[1].points[0].x = 0;
  expect_error(ErrorKind::argument, "\"slow\" of \"left\" has points that are not on its axes",
               [&] { static_cast<void>(draw_lines(chart)); });
  chart.panels.clear();
  expect_error(ErrorKind::argument, "no curve", [&] { static_cast<void>(draw_lines(chart)); });
}

}  // namespace
}  // namespace shunt
