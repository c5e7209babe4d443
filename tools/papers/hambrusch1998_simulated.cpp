// Hambrusch 1998, Figs. 3, 5, 8, 9 and 11 to 13, on the simulated Paragon, whose links messages
// share, and T3D.
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "lab/traffic/source_patterns.hpp"
#include "tools/papers/hambrusch1998.hpp"
#include "tools/papers/simulated_figure.hpp"

namespace shunt {

namespace {

constexpr Rank kFewest = 4;       ///< of Fig. 5
constexpr Rank kOfFigure8 = 120;  ///< ranks
constexpr Rank kOfT3d = 128;      ///< ranks
constexpr Bytes kTotal = 131072;  ///< bytes of Figs. 11 and 12
constexpr const char* kSimulatedParagon = "paragon";
constexpr const char* kT3d = "t3d";

/// With one send buffer: a stage ends when its messages are through, as the paper's iterations do.
/// Where the sends of a stage go on in the next, a tree's early messages are as late as its last.
SimulatedCurve curve(const char* name, const char* algorithm) {
  return {name, {algorithm, "single", "plan"}};
}

/// The line of recursive-halving goes through the array like a snake.
std::vector<SimulatedCurve> of_br() {
  return {curve("Br_Lin", "recursive-halving:"), curve("Br_xy_source", "halving-by-source:"),
          curve("Br_xy_dim", "halving-by-shape:")};
}

std::vector<SimulatedCurve> five() {
  std::vector<SimulatedCurve> curves{curve("2-Step", "gather-broadcast"),
                                     curve("PersAlltoAll", "direct")};
  std::ranges::copy(of_br(), std::back_inserter(curves));
  return curves;
}

/// What the T3D was measured with: MPI_Allgather, MPI_Alltoall, Br_Lin.
std::vector<SimulatedCurve> three() {
  return {curve("2-Step", "gather-broadcast"), curve("PersAlltoAll", "direct"),
          curve("Br_Lin", "recursive-halving")};
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
const Axis kRankAxis{"ranks", Spacing::logarithmic, Unit::count};

SimulatedFigure figure_3(Rank most) {
  const Extents array = square(10, most);
  SimulatedPanel panel{fmt::format("E(s), {}", array.name()), {}, five()};
  for (const Rank s : up_to(array.ranks(), {1, 5, 10, 20, 30, 50, 70, 100})) {
    panel.at.push_back({static_cast<double>(s), point(kSimulatedParagon, array, "E", s, 4096)});
  }
  return {times("Fig. 3", "paragon, blocks of 4 KiB", kSources), {panel}};
}

SimulatedFigure figure_5(Rank most) {
  SimulatedPanel panel{"Dr(sqrt p)", {}, five()};
  for (const Rank side : up_to(root_of(most), {2, 3, 4, 6, 8, 10, 12, 14, 16})) {
    const Extents array({side, side});
    panel.at.push_back(
        {static_cast<double>(array.ranks()), point(kSimulatedParagon, array, "Dr", side, 1024)});
  }
  return {times("Fig. 5", "paragon, blocks of 1 KiB", kRankAxis), {panel}};
}

SimulatedFigure figure_8() {
  SimulatedFigure figure{times("Fig. 8", "paragon of 120 nodes, blocks of 4 KiB",
                               {"rows", Spacing::linear, Unit::none}),
                         {}};
  for (const Rank s : {8, 15, 60}) {
    SimulatedPanel panel{fmt::format("E({})", s), {}, of_br()};
    for (const Rank rows : {4, 5, 6, 8, 10}) {
      panel.at.push_back(
          {static_cast<double>(rows),
           point(kSimulatedParagon, Extents({rows, kOfFigure8 / rows}), "E", s, 4096)});
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
    SimulatedPanel panel{letter,
                         {},
                         {curve("Br_xy_source", "halving-by-source:"),
                          curve("Repos_xy_source", "reposition-by-source:"),
                          curve("Part_xy_source", "partition-by-source:")}};
    for (const Rank sixteenths : {1, 3, 6, 12}) {
      const Rank s = std::max(1, array.ranks() * sixteenths / 16);
      panel.at.push_back(
          {static_cast<double>(s), point(kSimulatedParagon, array, letter, s, 6144)});
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

constexpr const char* kOnT3d[] = {"E", "R", "Dr", "Sq"};

SimulatedFigure figure_11(Rank most) {
  SimulatedFigure figure{times("Fig. 11(a)", "t3d, 32 sources, 128 KiB in all", kRankAxis), {}};
  for (const char* letter : kOnT3d) {
    SimulatedPanel panel{letter, {}, {curve("2-Step", "gather-broadcast")}};
    for (Rank ranks = std::min(32, most); ranks <= std::min(most, kOfT3d); ranks *= 2) {
      const Rank s = std::min(32, ranks);
      panel.at.push_back({static_cast<double>(ranks),
                          point(kT3d, Extents::nearly_square(ranks, 1), letter, s, kTotal / s)});
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

/// The problem grows with the sources.
SimulatedFigure figure_11b(Rank most) {
  const Extents array = Extents::nearly_square(std::min(most, kOfT3d), 1);
  SimulatedFigure figure{
      times("Fig. 11(b)", fmt::format("t3d of {} nodes, blocks of 16 KiB", array.ranks()),
            kSources),
      {}};
  for (const char* letter : kOnT3d) {
    SimulatedPanel panel{letter, {}, {curve("2-Step", "gather-broadcast")}};
    for (const Rank s : up_to(array.ranks(), {1, 4, 8, 16, 32, 64, 96, 128})) {
      panel.at.push_back({static_cast<double>(s), point(kT3d, array, letter, s, 16384)});
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
    SimulatedPanel panel{letter, {}, {curve("2-Step", "gather-broadcast")}};
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

struct Shown {
  const char* file;  ///< without "hambrusch1998-"
  const char* caption;
  Column panels;
  Column x;
};

/// Distributions of sources, or of so many.
Column distributions(const char* heading) { return {heading, Align::left, "distribution"}; }

}  // namespace

void simulate_hambrusch1998(Rank most_ranks, Reproduction& paper) {
  if (most_ranks < kFewest) {
    paper.left_out =
        fmt::format("The simulated figures are left out: none has fewer than {} ranks.", kFewest);
    return;
  }
  std::vector<SimulatedFigure> figures{
      figure_3(most_ranks),   figure_5(most_ranks),  figure_9(most_ranks), figure_11(most_ranks),
      figure_11b(most_ranks), figure_12(most_ranks), figure_13(most_ranks)};
  const Column of_sources{"s", Align::right, "sources"};
  const Column of_ranks{"p", Align::right, "ranks"};
  std::vector<Shown> shown{
      {"figure-3-simulated", "Fig. 3:", distributions("sources on"), of_sources},
      {"figure-5", "Fig. 5:", distributions("sources"), of_ranks},
      {"figure-9-simulated", "Fig. 9, 5.2:", distributions("sources"), of_sources},
      {"figure-11", "Fig. 11(a):", distributions("sources"), of_ranks},
      {"figure-11b", "Fig. 11(b):", distributions("sources"), of_sources},
      {"figure-12", "Fig. 12:", distributions("sources"), of_sources},
      {"figure-13", "Fig. 13:", distributions("sources"), of_sources}};
  if (most_ranks >= kOfFigure8) {
    figures.push_back(figure_8());
    shown.push_back({"figure-8", "Fig. 8:", distributions("sources"), {"rows"}});
  }
  const std::vector<LineChart> charts = simulated(figures, "");
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const LineChart& chart = charts[i];
    paper.numbers.push_back(
        {shown[i].file,
         fmt::format("{} {}, simulated, in milliseconds:", shown[i].caption, chart.line),
         table_of(chart, shown[i].panels, shown[i].x, {"time_ms", 1e-3, 3})});
    paper.figures.push_back({fmt::format("hambrusch1998-{}", shown[i].file), chart});
  }
  for (const auto& claims :
       {hambrusch1998::claims_on_figures_3_and_5(charts[0].panels.front(),
                                                 charts[1].panels.front()),
        hambrusch1998::claims_on_figure_9(charts[2]),
        hambrusch1998::claims_on_the_t3d(charts[3], charts[4], charts[5], charts[6]),
        most_ranks >= kOfFigure8 ? hambrusch1998::claims_on_figure_8(charts.back())
                                 : std::vector<Claim>{}}) {
    std::ranges::copy(claims, std::back_inserter(paper.simulated));
  }
}

}  // namespace shunt
