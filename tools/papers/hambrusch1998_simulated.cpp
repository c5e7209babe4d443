// Hambrusch 1998, Figs. 3, 5, 8, 9 and 11 to 13, on the simulated Paragon, whose links messages
// share, and T3D.
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "model/source_patterns.hpp"
#include "papers/reproduction.hpp"
#include "papers/simulated_figure.hpp"

namespace shunt {

namespace {

constexpr Rank kFewest = 4;       ///< of Fig. 5
constexpr Rank kOfFigure8 = 120;  ///< ranks
constexpr Rank kOfT3d = 128;      ///< ranks
constexpr Bytes kTotal = 131072;  ///< bytes of Figs. 11 and 12
constexpr const char* kParagon = "paragon";
constexpr const char* kT3d = "t3d";

/// With one send buffer: a stage ends when its messages are through, as the paper's iterations do.
/// Where the sends of a stage go on in the next, a tree's early messages are as late as its last.
SimulatedCurve curve(const char* name, const char* algorithm) {
  return {name, {algorithm, "single", "plan"}};
}

/// The line of br-lin goes through the array like a snake.
std::vector<SimulatedCurve> of_br() {
  return {curve("br-lin", "br-lin:"), curve("br-xy-source", "br-xy-source:"),
          curve("br-xy-dim", "br-xy-dim:")};
}

std::vector<SimulatedCurve> five() {
  std::vector<SimulatedCurve> curves{curve("2-step", "2-step"),
                                     curve("pers-all-to-all", "pers-all-to-all")};
  std::ranges::copy(of_br(), std::back_inserter(curves));
  return curves;
}

/// What the T3D was measured with: MPI_Allgather, MPI_Alltoall, Br_Lin.
std::vector<SimulatedCurve> three() {
  return {curve("2-step", "2-step"), curve("pers-all-to-all", "pers-all-to-all"),
          curve("br-lin", "br-lin")};
}

SimulatedPoint point(const char* machine, const Extents& array, const char* letter, Rank count,
                     Bytes length) {
  SimulatedPoint point{machine, "", array.ranks(), fmt::format("{}({})", letter, count), length};
  point.array = array.name();
  point.sources = place_sources(letter, {.array = array, .count = count});
  return point;
}

Rank root_of(Rank ranks) { return static_cast<Rank>(std::sqrt(static_cast<double>(ranks))); }

/// The square of that side, or the largest of no more than `most` ranks.
Extents square(Rank side, Rank most) {
  const Rank root = std::min(side, root_of(most));
  return Extents({root, root});
}

/// Those of no more than `most` sources.
std::vector<Rank> up_to(Rank most, std::vector<Rank> counts) {
  std::erase_if(counts, [&](Rank count) { return count > most; });
  return counts;
}

LineChart times(const char* figures, const std::string& line, const Axis& x) {
  return {fmt::format("Hambrusch 1998, {}, simulated", figures),
          line,
          x,
          {"time", Spacing::logarithmic, Unit::seconds},
          {}};
}

const Axis kSources{"sources", Spacing::logarithmic, Unit::count};
const Axis kRanks{"ranks", Spacing::logarithmic, Unit::count};

SimulatedFigure figure_3(Rank most) {
  const Extents array = square(10, most);
  SimulatedPanel panel{fmt::format("E(s), {}", array.name()), {}, five()};
  for (const Rank s : up_to(array.ranks(), {1, 5, 10, 20, 30, 50, 70, 100})) {
    panel.at.push_back({static_cast<double>(s), point(kParagon, array, "E", s, 4096)});
  }
  return {times("Fig. 3", "paragon, blocks of 4 KiB", kSources), {panel}};
}

SimulatedFigure figure_5(Rank most) {
  SimulatedPanel panel{"Dr(sqrt p)", {}, five()};
  for (const Rank side : up_to(root_of(most), {2, 3, 4, 6, 8, 10, 12, 14, 16})) {
    const Extents array({side, side});
    panel.at.push_back(
        {static_cast<double>(array.ranks()), point(kParagon, array, "Dr", side, 1024)});
  }
  return {times("Fig. 5", "paragon, blocks of 1 KiB", kRanks), {panel}};
}

SimulatedFigure figure_8() {
  SimulatedFigure figure{times("Fig. 8", "paragon of 120 nodes, blocks of 4 KiB",
                               {"rows", Spacing::linear, Unit::none}),
                         {}};
  for (const Rank s : {8, 15, 60}) {
    SimulatedPanel panel{fmt::format("E({})", s), {}, of_br()};
    for (const Rank rows : {4, 5, 6, 8, 10}) {
      panel.at.push_back({static_cast<double>(rows),
                          point(kParagon, Extents({rows, kOfFigure8 / rows}), "E", s, 4096)});
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

SimulatedFigure figure_9(Rank most) {
  const Extents array = square(16, most);
  SimulatedFigure figure{
      times("Fig. 9 and Section 5.2", fmt::format("paragon of {}, blocks of 6 KiB", array.name()),
            kSources),
      {}};
  for (const char* letter : {"Cr", "Sq", "E", "B"}) {
    SimulatedPanel panel{
        letter,
        {},
        {curve("br-xy-source", "br-xy-source:"), curve("repos-xy-source", "repos-xy-source:"),
         curve("part-xy-source", "part-xy-source:")}};
    for (const Rank sixteenths : {1, 3, 6, 12}) {
      const Rank s = std::max(1, array.ranks() * sixteenths / 16);
      panel.at.push_back({static_cast<double>(s), point(kParagon, array, letter, s, 6144)});
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

constexpr const char* kOnT3d[] = {"E", "R", "Dr", "Sq"};

SimulatedFigure figure_11(Rank most) {
  SimulatedFigure figure{times("Fig. 11(a)", "t3d, 32 sources, 128 KiB in all", kRanks), {}};
  for (const char* letter : kOnT3d) {
    SimulatedPanel panel{letter, {}, {curve("2-step", "2-step")}};
    for (Rank ranks = std::min(32, most); ranks <= std::min(most, kOfT3d); ranks *= 2) {
      const Rank s = std::min(32, ranks);
      panel.at.push_back({static_cast<double>(ranks),
                          point(kT3d, Extents::nearly_square(ranks, 1), letter, s, kTotal / s)});
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

SimulatedFigure figure_12(Rank most) {
  const Extents array = Extents::nearly_square(std::min(most, kOfT3d), 1);
  SimulatedFigure figure{
      times("Fig. 12", fmt::format("t3d of {} nodes, 128 KiB in all", array.ranks()), kSources),
      {}};
  for (const char* letter : {"E", "Sq"}) {
    SimulatedPanel panel{letter, {}, {curve("2-step", "2-step")}};
    for (const Rank s : up_to(array.ranks(), {1, 4, 8, 16, 32, 64, 128})) {
      panel.at.push_back({static_cast<double>(s), point(kT3d, array, letter, s, kTotal / s)});
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

SimulatedFigure figure_13(Rank most) {
  const Extents array = Extents::nearly_square(std::min(most, kOfT3d), 1);
  SimulatedFigure figure{
      times("Fig. 13", fmt::format("t3d of {} nodes, blocks of 4 KiB", array.ranks()), kSources),
      {}};
  SimulatedPanel all{"E", {}, three()};
  for (const Rank s : up_to(array.ranks(), {1, 5, 10, 20, 40, 80, 128})) {
    all.at.push_back({static_cast<double>(s), point(kT3d, array, "E", s, 4096)});
  }
  figure.panels.push_back(std::move(all));
  const Rank s = std::min(40, array.ranks());
  for (const char* letter : {"R", "Dr", "Cr", "Sq"}) {
    figure.panels.push_back(
        {letter, {{static_cast<double>(s), point(kT3d, array, letter, s, 4096)}}, three()});
  }
  return figure;
}

/// The least time of the three of Br_..
double best_of_br(const Panel& panel, std::size_t at) {
  double best = INFINITY;
  for (const SimulatedCurve& br : of_br()) {
    best = std::min(best, curve_of(panel, br.name).points[at].y);
  }
  return best;
}

std::vector<Claim> claims_on_figures_3_and_5(const Panel& by_sources, const Panel& by_ranks) {
  Claim gathers("Fig. 3", "2-Step slower than the best Br_..");
  Claim direct("Fig. 3", "PersAlltoAll slower than the best Br_..");
  const auto try_slower = [](Claim& claim, const Panel& panel, const char* name, std::size_t i) {
    const Point& found = curve_of(panel, name).points[i];
    const double best = best_of_br(panel, i);
    claim.try_case(fmt::format("{}, ms", found.x), found.y > best, best * 1e3, found.y * 1e3);
  };
  for (std::size_t i = 0; i < by_sources.curves.front().points.size(); ++i) {
    try_slower(gathers, by_sources, "2-step", i);
    try_slower(direct, by_sources, "pers-all-to-all", i);
  }
  Claim small("Fig. 5", "PersAlltoAll within a tenth of the best to 16 ranks");
  Claim large("Fig. 5", "PersAlltoAll slower than the best Br_.. above");
  for (std::size_t i = 0; i < by_ranks.curves.front().points.size(); ++i) {
    const Point& found = curve_of(by_ranks, "pers-all-to-all").points[i];
    if (found.x > 16) {
      try_slower(large, by_ranks, "pers-all-to-all", i);
      continue;
    }
    const double best = std::min(best_of_br(by_ranks, i), curve_of(by_ranks, "2-step").points[i].y);
    small.try_case(fmt::format("{} ranks, ms", found.x), found.y <= 1.1 * best, best * 1e3,
                   found.y * 1e3);
  }
  return {gathers, direct, small, large};
}

std::vector<Claim> claims_on_figure_8(const LineChart& chart) {
  Claim matters("Fig. 8", "r x c matters more for 60 sources than for 8, in ms");
  Claim share("Fig. 8", "the same, in proportion");
  Claim anomaly("Fig. 8", "Br_Lin: 15 sources faster than 8, but on 4 x 30");
  const std::vector<Panel>& panels = chart.panels;
  for (std::size_t k = 0; k < panels.front().curves.size(); ++k) {
    const Curve& eight = panels.front().curves[k];
    const auto few = std::ranges::minmax(eight.points, {}, &Point::y);
    const auto many = std::ranges::minmax(panels.back().curves[k].points, {}, &Point::y);
    const double few_ms = (few.max.y - few.min.y) * 1e3;
    const double many_ms = (many.max.y - many.min.y) * 1e3;
    matters.try_case(eight.name, many_ms > few_ms, few_ms, many_ms);
    const double few_ratio = few.max.y / few.min.y;
    const double many_ratio = many.max.y / many.min.y;
    share.try_case(eight.name, many_ratio > few_ratio, few_ratio, many_ratio);
  }
  for (std::size_t i = 0; i < panels[0].curves.front().points.size(); ++i) {
    const Point& eight = panels[0].curves.front().points[i];
    const Point& fifteen = panels[1].curves.front().points[i];
    if (eight.x == 4) continue;
    anomaly.try_case(fmt::format("{} rows, ms", eight.x), fifteen.y < eight.y, eight.y * 1e3,
                     fifteen.y * 1e3);
  }
  return {matters, share, anomaly};
}

std::vector<Claim> claims_on_figure_9(const LineChart& chart) {
  Claim pays("Fig. 9", "repositioning pays for Cr and Sq");
  Claim part("5.2", "Part_xy_source no faster than Repos_xy_source");
  for (const Panel& panel : chart.panels) {
    if (panel.title == "Cr" || panel.title == "Sq") {
      try_ahead(pays, panel, "repos-xy-source", "br-xy-source");
    }
    try_ahead(part, panel, "repos-xy-source", "part-xy-source");
  }
  return {pays, part};
}

std::vector<Claim> claims_on_the_t3d(const LineChart& by_ranks, const LineChart& same_total,
                                     const LineChart& by_sources) {
  Claim equal("Fig. 11", "MPI_AllGather: E is faster than other distributions");
  const std::vector<Point>& least = by_ranks.panels.front().curves.front().points;
  for (const Panel& panel : by_ranks.panels) {
    if (panel.title == "E") continue;
    const std::vector<Point>& other = panel.curves.front().points;
    for (std::size_t i = 0; i < other.size(); ++i) {
      equal.try_case(fmt::format("{}, {} ranks, ms", panel.title, other[i].x),
                     least[i].y < other[i].y, other[i].y * 1e3, least[i].y * 1e3);
    }
  }
  Claim more("Fig. 12", "MPI_AllGather: 128 KiB faster from more sources, to p/4");
  for (const Panel& panel : same_total.panels) {
    const std::vector<Point>& points = panel.curves.front().points;
    for (std::size_t i = 1; i < points.size() && points[i].x <= 32; ++i) {
      more.try_case(fmt::format("{}({}), ms", panel.title, points[i].x),
                    points[i].y < points[i - 1].y, points[i - 1].y * 1e3, points[i].y * 1e3);
    }
  }
  Claim direct("Fig. 13", "MPI_AlltoAll is the fastest of three");
  Claim last("Fig. 13", "Br_Lin is the slowest of three");
  for (const Panel& panel : by_sources.panels) {
    for (const char* other : {"2-step", "br-lin"}) {
      try_ahead(direct, panel, "pers-all-to-all", other);
    }
    for (const char* other : {"2-step", "pers-all-to-all"}) {
      try_ahead(last, panel, other, "br-lin");
    }
  }
  return {equal, more, direct, last};
}

struct Shown {
  const char* file;  ///< without "hambrusch1998-"
  const char* caption;
  const char* panels;
  const char* x;
};

}  // namespace

void simulate_hambrusch1998(Rank most_ranks, Reproduction& paper) {
  if (most_ranks < kFewest) {
    paper.left_out =
        fmt::format("The simulated figures are left out: none has fewer than {} ranks.", kFewest);
    return;
  }
  std::vector<SimulatedFigure> figures{figure_3(most_ranks),  figure_5(most_ranks),
                                       figure_9(most_ranks),  figure_11(most_ranks),
                                       figure_12(most_ranks), figure_13(most_ranks)};
  std::vector<Shown> shown{{"figure-3-simulated", "Fig. 3:", "sources on", "s"},
                           {"figure-5", "Fig. 5:", "sources", "p"},
                           {"figure-9-simulated", "Fig. 9, 5.2:", "sources", "s"},
                           {"figure-11", "Fig. 11(a):", "sources", "p"},
                           {"figure-12", "Fig. 12:", "sources", "s"},
                           {"figure-13", "Fig. 13:", "sources", "s"}};
  if (most_ranks >= kOfFigure8) {
    figures.push_back(figure_8());
    shown.push_back({"figure-8", "Fig. 8:", "sources", "rows"});
  }
  const std::vector<LineChart> charts = simulated(figures, "");
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const LineChart& chart = charts[i];
    paper.numbers.push_back(
        {shown[i].file,
         fmt::format("{} {}, simulated, in milliseconds:", shown[i].caption, chart.line),
         table_of(chart, shown[i].panels, shown[i].x, 1e-3, 3)});
    paper.figures.push_back({fmt::format("hambrusch1998-{}", shown[i].file), chart});
  }
  for (const auto& claims :
       {claims_on_figures_3_and_5(charts[0].panels.front(), charts[1].panels.front()),
        claims_on_figure_9(charts[2]), claims_on_the_t3d(charts[3], charts[4], charts[5]),
        most_ranks >= kOfFigure8 ? claims_on_figure_8(charts.back()) : std::vector<Claim>{}}) {
    std::ranges::copy(claims, std::back_inserter(paper.simulated));
  }
}

}  // namespace shunt
