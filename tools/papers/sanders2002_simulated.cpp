// Sanders 2002, Section 4: the hierarchical factor algorithm on 6 nodes of up to 4 ranks.
#include <algorithm>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "tools/papers/reproduction.hpp"
#include "tools/papers/simulated_figure.hpp"

namespace shunt {

namespace {

constexpr const char* kMachine = "giganet";
constexpr Rank kNodes = 6;
constexpr Rank kFull = 4;  ///< ranks of a node, at most
constexpr Bytes kShortest = 64;
constexpr Bytes kLongest = 262144;

/// All receives and sends at once, by MPI_Alltoall: what the paper compares with.
constexpr const char* kPostedAtOnce = "alltoall:basic_linear";

/// How the ranks are spread over the nodes.
struct Spread {
  std::string name;
  std::vector<Rank> nodes;

  [[nodiscard]] std::string text() const { return fmt::format("{}", fmt::join(nodes, ",")); }
  [[nodiscard]] Rank ranks() const { return std::accumulate(nodes.begin(), nodes.end(), 0); }
};

Spread random_spread(unsigned seed) {
  Spread spread{fmt::format("random {}", seed), {}};
  std::minstd_rand generator(seed);
  for (Rank node = 0; node < kNodes; ++node) {
    spread.nodes.push_back(static_cast<Rank>(1 + generator() % kFull));
  }
  return spread;
}

/// Those of no more than `most` ranks.
std::vector<Spread> spreads(Rank most) {
  std::vector<Spread> all{{"regular", {4, 4, 4, 4, 4, 4}},
                          {"organ pipe", {1, 2, 4, 4, 2, 1}},
                          {"alternating", {4, 1, 4, 1, 4, 1}},
                          random_spread(1),
                          random_spread(2),
                          random_spread(3)};
  std::erase_if(all, [&](const Spread& spread) { return spread.ranks() > most; });
  return all;
}

SimulatedFigure figure(Rank most_ranks) {
  SimulatedFigure figure{{"Sanders 2002: 6 nodes of up to 4 ranks, simulated",
                          "equal blocks; how many times as fast as all messages posted at once",
                          {"bytes of a block", Spacing::logarithmic, Unit::bytes},
                          {"times as fast", Spacing::linear, Unit::none},
                          {}},
                         {}};
  for (const Spread& spread : spreads(most_ranks)) {
    SimulatedPanel panel{fmt::format("{} ({})", spread.name, spread.text()), {}, {}};
    for (Bytes block = kShortest; block <= kLongest; block *= 4) {
      panel.at.push_back({static_cast<double>(block),
                          {kMachine, spread.text(), spread.ranks(), "uniform", block, 1}});
    }
    panel.curves = {{"posted at once", {"alltoall", "", ""}},
                    {"order", {"node-pairwise", "single", "plan"}},
                    {"steps", {"node-pairwise", "blocking", "plan"}},
                    {"linear", {"linear", "single", "plan"}},
                    {"pairwise", {"pairwise", "single", "plan"}}};
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

/// Times become those of the first curve over them, and that curve is left out.
void divide_by_first(LineChart& chart) {
  for (Panel& panel : chart.panels) {
    const Curve base = panel.curves.front();
    panel.curves.erase(panel.curves.begin());
    for (Curve& curve : panel.curves) {
      for (std::size_t i = 0; i < curve.points.size(); ++i) {
        curve.points[i].y = base.points[i].y / curve.points[i].y;
      }
    }
  }
}

std::vector<Claim> claims_on_speed(const LineChart& chart) {
  Claim never("4", "never slower than all posted at once, by more than 1%");
  Claim better("4", "10 to 20% faster where the nodes have different numbers of ranks");
  for (const Panel& panel : chart.panels) {
    for (const Point& point : curve_of(panel, "order").points) {
      const std::string name = fmt::format("{}, {}", panel.title, bytes_text(point.x));
      never.try_case(name, point.y >= 0.99, 1, point.y);
      if (panel.title.starts_with("regular")) continue;
      better.try_case(name, point.y >= 1.1, 1.1, point.y);
    }
  }
  return {never, better};
}

}  // namespace

void simulate_sanders2002(Rank most_ranks, Reproduction& paper) {
  const SimulatedFigure wanted = figure(most_ranks);
  if (wanted.panels.empty()) {
    paper.left_out = fmt::format(
        "The simulated figures are left out: none has no more than {} ranks.", most_ranks);
    return;
  }
  LineChart chart = simulated({wanted}, kPostedAtOnce).front();
  divide_by_first(chart);
  paper.numbers.push_back(
      {"times-as-fast",
       "Simulated, how many times as fast as all messages posted at once: the\n"
       "hierarchical factor algorithm in non-blocking mode, where it is the order in\n"
       "which messages are posted, and in blocking mode, step by step; linear and\n"
       "pairwise non-blocking:",
       table_of(chart, {"ranks of the nodes", Align::left}, {"bytes", Align::right, "block_bytes"},
                {"times_as_fast", 1, 3})});
  paper.figures.push_back({"sanders2002-nodes", chart});
  for (const Claim& claim : claims_on_speed(chart)) paper.simulated.push_back(claim);
}

}  // namespace shunt
