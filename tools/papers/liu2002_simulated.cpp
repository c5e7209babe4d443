// Liu 2002, Figs. 15 to 23: A1 to A4 in all modes on the simulated T3D and SP2.
#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "tools/papers/liu2002.hpp"
#include "tools/papers/reproduction.hpp"
#include "tools/papers/simulated_figure.hpp"

namespace shunt {

namespace {

using namespace liu2002;

constexpr Bytes kMaximum = 1024;  ///< Figs. 15, 17

struct ModeName {
  const char* shown;
  const char* mode;
};

constexpr ModeName kModes[] = {
    {"blocking", "blocking"}, {"one buffer", "single"}, {"two buffers", "dual"}};

/// The squares from `least` to 100, where A3 is the published one; no more than `most` ranks, but
/// at least one number of them.
std::vector<Rank> squares(Rank least, Rank most) {
  std::vector<Rank> ranks;
  for (Rank root = 1; root <= 10 && root * root <= most; ++root) {
    if (!ranks.empty() && ranks.back() < least) ranks.clear();
    ranks.push_back(root * root);
  }
  return ranks;
}

/// In plans: only there is data packed for the next stage on arrival, as with the paper's dual
/// buffers.
std::vector<SimulatedCurve> all_algorithms(const ModeName& mode) {
  std::vector<SimulatedCurve> curves;
  for (const auto& [name, algorithm] : kAlgorithms) {
    curves.push_back({name, {algorithm, mode.mode, "plan"}});
  }
  return curves;
}

SimulatedPoint point_of(const Platform& platform, const char* pattern, Rank ranks, Bytes maximum) {
  return {platform.machine, "", ranks, pattern, maximum, platform.element};
}

SimulatedPanel ranks_panel(std::string title, const Platform& platform, const char* pattern,
                           const std::vector<Rank>& all_ranks, Bytes maximum,
                           std::vector<SimulatedCurve> curves) {
  SimulatedPanel panel{std::move(title), {}, std::move(curves)};
  for (const Rank ranks : all_ranks) {
    panel.at.push_back({static_cast<double>(ranks), point_of(platform, pattern, ranks, maximum)});
  }
  return panel;
}

SimulatedPanel lengths_panel(std::string title, const Platform& platform, const char* pattern,
                             Rank ranks, std::vector<SimulatedCurve> curves) {
  SimulatedPanel panel{std::move(title), {}, std::move(curves)};
  for (Bytes maximum = kShortest; maximum <= kLongest; maximum *= 2) {
    panel.at.push_back({static_cast<double>(maximum), point_of(platform, pattern, ranks, maximum)});
  }
  return panel;
}

/// Times over the number of ranks, as the paper draws them, or over the longest block.
LineChart over_ranks(const char* figures, const char* line) {
  return {fmt::format("Liu 2002, {}, simulated", figures),
          line,
          {"ranks", Spacing::linear, Unit::none},
          {"time", Spacing::linear, Unit::seconds},
          {}};
}

LineChart over_lengths(const char* figures, const std::string& line) {
  return {fmt::format("Liu 2002, {}, simulated", figures),
          line,
          {"elements of the longest block", Spacing::logarithmic, Unit::count},
          {"time", Spacing::logarithmic, Unit::seconds},
          {}};
}

SimulatedFigure figures_15_17(Rank most_ranks) {
  SimulatedFigure figure{
      over_ranks("Figs. 15 and 17", "longest block 1024 elements, 1 element elsewhere"), {}};
  for (const Platform& platform : kPlatforms) {
    for (const ModeName& mode : {kModes[0], kModes[1]}) {
      figure.panels.push_back(
          ranks_panel(fmt::format("{}, Pattern 1, {}", platform.name, mode.shown), platform,
                      "pattern1", squares(16, most_ranks), kMaximum, all_algorithms(mode)));
    }
  }
  return figure;
}

/// Mode by mode, pattern by pattern.
SimulatedFigure figure_16_or_18(const char* name, const Platform& platform, Rank ranks) {
  SimulatedFigure figure{over_lengths(name, fmt::format("{} ranks, 1 element elsewhere", ranks)),
                         {}};
  for (const ModeName& mode : kModes) {
    for (const auto& [shown, pattern] : kPatterns) {
      figure.panels.push_back(
          lengths_panel(fmt::format("{}, {}, {}", platform.name, shown, mode.shown), platform,
                        pattern, ranks, all_algorithms(mode)));
    }
  }
  return figure;
}

SimulatedCurve a3_n1() { return {"A3-n1", {"row-column", "single", "plan"}}; }
SimulatedCurve a4_n2() { return {"A4-n2", {"four-stage", "dual", "plan"}}; }

SimulatedFigure figures_19_22(Rank ranks) {
  SimulatedFigure figure{
      over_lengths(
          "Figs. 19 to 22",
          fmt::format("{} ranks, 1 element elsewhere; b blocking, n1 and n2 non-blocking with "
                      "one and two send buffers",
                      ranks)),
      {}};
  for (const Platform& platform : kPlatforms) {
    for (const auto& [shown, pattern] : kPatterns) {
      figure.panels.push_back(lengths_panel(fmt::format("{}, {}", platform.name, shown), platform,
                                            pattern, ranks,
                                            {{"A3-b", {"row-column", "blocking", "plan"}},
                                             a3_n1(),
                                             {"A4-b", {"four-stage", "blocking", "plan"}},
                                             {"A4-n1", {"four-stage", "single", "plan"}},
                                             a4_n2()}));
    }
  }
  return figure;
}

SimulatedFigure figure_23(Rank most_ranks) {
  SimulatedFigure figure{over_ranks("Fig. 23", "longest block 4096 elements, 1 element elsewhere"),
                         {}};
  const Platform& platform = kPlatforms[1];
  for (const auto& [shown, pattern] : kPatterns) {
    figure.panels.push_back(ranks_panel(fmt::format("{}, {}", platform.name, shown), platform,
                                        pattern, squares(25, most_ranks), kLongest,
                                        {a3_n1(), a4_n2()}));
  }
  return figure;
}

/// The panels of a chart whose titles contain both words.
std::vector<Panel> panels_with(const LineChart& chart, const std::string& word,
                               const std::string& other = "") {
  std::vector<Panel> panels;
  std::ranges::copy_if(chart.panels, std::back_inserter(panels), [&](const Panel& panel) {
    return panel.title.find(word) != std::string::npos &&
           panel.title.find(other) != std::string::npos;
  });
  return panels;
}

Claim ahead(const char* place, const char* sentence, const std::vector<Panel>& panels,
            const char* winner, const std::vector<const char*>& others) {
  Claim claim(place, sentence);
  for (const Panel& panel : panels) {
    for (const char* other : others) try_ahead(claim, panel, winner, other);
  }
  return claim;
}

/// Only what has x from `least` to `most`.
std::vector<Panel> between(std::vector<Panel> panels, double least, double most) {
  for (Panel& panel : panels) {
    for (Curve& curve : panel.curves) {
      std::erase_if(curve.points,
                    [&](const Point& point) { return point.x < least || point.x > most; });
    }
  }
  return panels;
}

/// How many times as fast the non-blocking mode is, at each point.
std::vector<double> gains(const Panel& blocking, const Panel& other, const char* curve) {
  std::vector<double> gains;
  const std::vector<Point>& before = curve_of(blocking, curve).points;
  const std::vector<Point>& after = curve_of(other, curve).points;
  for (std::size_t i = 0; i < before.size(); ++i) gains.push_back(before[i].y / after[i].y);
  return gains;
}

std::vector<Claim> claims_on_modes(const LineChart& by_ranks) {
  Claim most("Fig. 15, 17", "non-blocking mode helps A1 more than A2 and A4");
  Claim helps("Fig. 17", "it helps A2 and A4 on the SP2");
  for (const Platform& platform : kPlatforms) {
    const Panel blocking = panels_with(by_ranks, platform.name, kModes[0].shown).front();
    const Panel single = panels_with(by_ranks, platform.name, kModes[1].shown).front();
    const std::vector<double> a1 = gains(blocking, single, "A1");
    for (const char* other : {"A2", "A4"}) {
      const std::vector<double> gain = gains(blocking, single, other);
      for (std::size_t i = 0; i < gain.size(); ++i) {
        const std::string name = fmt::format("{}, P = {}, {}, times as fast", platform.name,
                                             curve_of(blocking, other).points[i].x, other);
        most.try_case(name, a1[i] > gain[i], a1[i], gain[i]);
        if (std::string_view(platform.name) == "SP2") helps.try_case(name, gain[i] > 1, 1, gain[i]);
      }
    }
  }
  return {most, helps};
}

/// How much the time grows from the shortest to the longest block that Fig. 19 has.
Claim claim_on_growth(const std::vector<Panel>& panels) {
  Claim claim("Fig. 19", "T3D, Pattern 2, M_max <= 1k: A3 grows faster than A4");
  for (const Panel& panel : panels) {
    for (const char* mode : {"b", "n1"}) {
      const auto growth = [&](const char* name) {
        const std::vector<Point>& points = curve_of(panel, name + std::string(mode)).points;
        return points.back().y / points.front().y;
      };
      claim.try_case(fmt::format("{}, times as long", mode), growth("A3-") > growth("A4-"),
                     growth("A4-"), growth("A3-"));
    }
  }
  return claim;
}

std::vector<Claim> claims_on_a3(const LineChart& by_lengths, const LineChart& by_ranks) {
  const auto panels = [&](const char* platform, const char* pattern, double least, double most) {
    return between(panels_with(by_lengths, platform, pattern), least, most);
  };
  const double middle = kMaximum;
  Claim short_blocks("Fig. 19", "T3D, M_max <= 1k: A3 is ahead of A4");
  for (const Panel& panel : panels("T3D", "", 0, middle)) {
    try_ahead(short_blocks, panel, "A3-b", "A4-b");
    try_ahead(short_blocks, panel, "A3-n1", "A4-n1");
  }
  return {
      short_blocks,
      claim_on_growth(panels("T3D", "Pattern 2", 0, middle)),
      ahead("Fig. 20", "T3D, Pattern 2, M_max >= 1k, blocking: A4 is ahead of A3",
            panels("T3D", "Pattern 2", middle, kLongest), "A4-b", {"A3-b"}),
      ahead("Fig. 21, 22", "SP2, Pattern 1: A3-n1 is the fastest",
            panels("SP2", "Pattern 1", 0, kLongest), "A3-n1", {"A3-b", "A4-b", "A4-n1", "A4-n2"}),
      ahead("Fig. 21, 22", "SP2, Pattern 2: A4-n2 is the fastest",
            panels("SP2", "Pattern 2", 0, kLongest), "A4-n2", {"A3-b", "A3-n1", "A4-b", "A4-n1"}),
      ahead("Fig. 22", "SP2: A4 is faster with two send buffers than with one",
            panels("SP2", "", 0, kLongest), "A4-n2", {"A4-n1"}),
      ahead("Fig. 23", "SP2, M_max = 4k: A4-n2 is ahead of A3-n1", by_ranks.panels, "A4-n2",
            {"A3-n1"})};
}

/// Figs. 19 to 22 have no times that Figs. 16 and 18 do not.
void add_tables(const std::vector<LineChart>& charts, Rank ranks, Reproduction& paper) {
  constexpr Quantity kMilliseconds{"time_ms", 1e-3, 2};
  const Column panels{"machine, pattern, mode", Align::left};
  const Column over_ranks{"P", Align::right, "ranks"};
  const Column over_lengths{"M_max", Align::right, "maximum_elements"};
  paper.numbers.push_back(
      {"figures-15-and-17",
       "Figs. 15 and 17, simulated, in milliseconds (with buffers: non-blocking):",
       table_of(charts[0], panels, over_ranks, kMilliseconds)});
  paper.numbers.push_back(
      {"figures-16-19-and-20",
       fmt::format("Figs. 16, 19 and 20, simulated on {} ranks, in milliseconds:", ranks),
       table_of(charts[1], panels, over_lengths, kMilliseconds)});
  paper.numbers.push_back(
      {"figures-18-21-and-22",
       fmt::format("Figs. 18, 21 and 22, simulated on {} ranks, in milliseconds:", ranks),
       table_of(charts[2], panels, over_lengths, kMilliseconds)});
  paper.numbers.push_back(
      {"figure-23", "Fig. 23, simulated, in milliseconds:",
       table_of(charts[4], {"machine, pattern", Align::left}, over_ranks, kMilliseconds)});
}

}  // namespace

void simulate_liu2002(Rank most_ranks, Reproduction& paper) {
  const Rank ranks = std::min(kRanks, most_ranks);
  const std::vector<LineChart> charts =
      simulated({figures_15_17(most_ranks), figure_16_or_18("Fig. 16", kPlatforms[0], ranks),
                 figure_16_or_18("Fig. 18", kPlatforms[1], ranks), figures_19_22(ranks),
                 figure_23(most_ranks)},
                "");
  constexpr std::array kFiles{"liu2002-figures-15-17", "liu2002-figure-16", "liu2002-figure-18",
                              "liu2002-figures-19-22", "liu2002-figure-23"};
  for (std::size_t i = 0; i < charts.size(); ++i) paper.figures.push_back({kFiles[i], charts[i]});
  add_tables(charts, ranks, paper);

  std::vector<Panel> blocking;
  for (const LineChart& chart : {charts[0], charts[1], charts[2]}) {
    std::ranges::copy(panels_with(chart, kModes[0].shown), std::back_inserter(blocking));
  }
  paper.simulated = {ahead("Fig. 15 to 18", "blocking: A4 is ahead of A1", blocking, "A4", {"A1"}),
                     ahead("Fig. 15 to 18", "blocking: A4 is ahead of A2", blocking, "A4", {"A2"})};
  for (const auto& claims : {claims_on_modes(charts[0]), claims_on_a3(charts[3], charts[4])}) {
    std::ranges::copy(claims, std::back_inserter(paper.simulated));
  }
}

}  // namespace shunt
