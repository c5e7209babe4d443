// What Hambrusch 1998 claims of the figures that are simulated.
#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "tools/papers/hambrusch1998.hpp"

namespace shunt::hambrusch1998 {

namespace {

/// The least time of the three of Br_..
double best_of_br(const Panel& panel, std::size_t at) {
  double best = INFINITY;
  for (const auto& [shown, name] : std::span(kFive).subspan(kFirstBr)) {
    best = std::min(best, curve_of(panel, shown).points[at].y);
  }
  return best;
}

/// Where the distributions differ: not with one source, nor where all are sources.
bool differs(const LineChart& chart, std::size_t at) {
  const double time = chart.panels.front().curves.front().points[at].y;
  return std::ranges::any_of(
      chart.panels, [&](const Panel& panel) { return panel.curves.front().points[at].y != time; });
}

/// MPI_AllGather's time from E, the first panel, beside that from the others.
Claim equal_is_faster(const char* place, const char* what, const LineChart& chart) {
  Claim claim(place, "MPI_AllGather: E is faster than other distributions");
  const std::vector<Point>& least = chart.panels.front().curves.front().points;
  for (const Panel& panel : std::span(chart.panels).subspan(1)) {
    const std::vector<Point>& other = panel.curves.front().points;
    for (std::size_t i = 0; i < other.size(); ++i) {
      if (!differs(chart, i)) continue;
      claim.try_case(fmt::format(fmt::runtime(what), panel.title, other[i].x),
                     least[i].y < other[i].y, other[i].y * 1e3, least[i].y * 1e3);
    }
  }
  return claim;
}

/// The slowest distribution's time over the fastest's, where they differ.
std::vector<double> spreads_of(const LineChart& chart) {
  std::vector<double> spreads;
  for (std::size_t i = 0; i < chart.panels.front().curves.front().points.size(); ++i) {
    if (!differs(chart, i)) continue;
    const auto time = [&](const Panel& panel) { return panel.curves.front().points[i].y; };
    const auto [fastest, slowest] = std::ranges::minmax(chart.panels, {}, time);
    spreads.push_back(time(slowest) / time(fastest));
  }
  return spreads;
}

}  // namespace

std::vector<Claim> claims_on_figures_3_and_5(const Panel& by_sources, const Panel& by_ranks) {
  Claim gathers("Fig. 3", "2-Step slower than the best Br_..");
  Claim direct("Fig. 3", "PersAlltoAll slower than the best Br_..");
  const auto try_slower = [](Claim& claim, const Panel& panel, const char* name, std::size_t i) {
    const Point& found = curve_of(panel, name).points[i];
    const double best = best_of_br(panel, i);
    claim.try_case(fmt::format("{}, ms", found.x), found.y > best, best * 1e3, found.y * 1e3);
  };
  for (std::size_t i = 0; i < by_sources.curves.front().points.size(); ++i) {
    try_slower(gathers, by_sources, "2-Step", i);
    try_slower(direct, by_sources, "PersAlltoAll", i);
  }
  Claim small("Fig. 5", "PersAlltoAll within a tenth of the best to 16 ranks");
  Claim large("Fig. 5", "PersAlltoAll slower than the best Br_.. above");
  for (std::size_t i = 0; i < by_ranks.curves.front().points.size(); ++i) {
    const Point& found = curve_of(by_ranks, "PersAlltoAll").points[i];
    if (found.x > 16) {
      try_slower(large, by_ranks, "PersAlltoAll", i);
      continue;
    }
    const double best = std::min(best_of_br(by_ranks, i), curve_of(by_ranks, "2-Step").points[i].y);
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
      try_ahead(pays, panel, "Repos_xy_source", "Br_xy_source");
    }
    try_ahead(part, panel, "Repos_xy_source", "Part_xy_source");
  }
  return {pays, part};
}

std::vector<Claim> claims_on_the_t3d(const LineChart& by_ranks, const LineChart& by_problem,
                                     const LineChart& same_total, const LineChart& by_sources) {
  Claim equal = equal_is_faster("Fig. 11(a)", "{}, {} ranks, ms", by_ranks);
  Claim larger = equal_is_faster("Fig. 11(b)", "{}({}), ms", by_problem);
  Claim alike("Fig. 11(b)", "distributions converge as s approaches p");
  const std::vector<double> spreads = spreads_of(by_problem);
  if (spreads.size() > 1) {
    const double before = std::ranges::max(std::span(spreads).first(spreads.size() - 1));
    alike.try_case("slowest over fastest", spreads.back() < before, before, spreads.back());
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
    for (const char* other : {"2-Step", "Br_Lin"}) {
      try_ahead(direct, panel, "PersAlltoAll", other);
    }
    for (const char* other : {"2-Step", "PersAlltoAll"}) {
      try_ahead(last, panel, other, "Br_Lin");
    }
  }
  return {equal, larger, alike, more, direct, last};
}

}  // namespace shunt::hambrusch1998
