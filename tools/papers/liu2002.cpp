// Liu, Wang, Prasanna: Portable and Scalable Algorithm for Irregular All-to-All Communication,
// 2002. What can be counted from schedules, and followed on one port.
#include "tools/papers/liu2002.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "lab/flow/flow.hpp"
#include "lab/proof/checker.hpp"
#include "lab/schedules/unrevised_rows.hpp"
#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic.hpp"
#include "schedule/node_array.hpp"
#include "schedule/row_schedule.hpp"
#include "tools/papers/reproduction.hpp"

namespace shunt {

namespace {

using namespace liu2002;

constexpr Rank kMostScheduleRanks = 200;  ///< of the schedules
constexpr Rank kMostFollowed = 64;        ///< of the traffics that are followed

/// Seconds in blocking mode on one port, where every step waits for its longest message.
double followed_seconds(const char* algorithm_name, const char* pattern, const Platform& platform,
                        Bytes maximum) {
  const auto algorithm = make_algorithm(algorithm_name, kRanks, 1);
  const auto traffic = make_traffic(pattern, {.ranks = kRanks, .maximum = maximum});
  const auto flows = follow_traffic(*algorithm, *traffic, platform.element);
  double seconds = 0;
  for (int stage = 0; stage < algorithm->stages(); ++stage) {
    seconds +=
        flows[static_cast<std::size_t>(stage)].seconds(platform.cost, algorithm->step_count(stage));
  }
  return seconds;
}

LineChart figures_16_to_22() {
  LineChart chart{"Liu 2002: A1 to A4 on 64 ranks, by the model of Section 2.1",
                  "blocking, one port a rank, each step as long as its longest message; no "
                  "contention but at the ports",
                  {"elements of the longest block", Spacing::logarithmic, Unit::count},
                  {"time", Spacing::logarithmic, Unit::seconds},
                  {}};
  for (const Platform& platform : kPlatforms) {
    for (const auto& [shown, pattern] : kPatterns) {
      Panel panel{fmt::format("{}, {}", platform.name, shown), {}};
      for (const auto& [name, algorithm] : kAlgorithms) {
        Curve curve{name, {}};
        for (Bytes maximum = kShortest; maximum <= kLongest; maximum *= 2) {
          curve.points.push_back({static_cast<double>(maximum),
                                  followed_seconds(algorithm, pattern, platform, maximum)});
        }
        panel.curves.push_back(std::move(curve));
      }
      chart.panels.push_back(std::move(panel));
    }
  }
  return chart;
}

Claim comparison(const LineChart& chart, const char* place, const char* sentence,
                 const char* winner, const char* other) {
  Claim claim(place, sentence);
  for (const Panel& panel : chart.panels) try_ahead(claim, panel, winner, other);
  return claim;
}

double ceiling_of_root(Rank ranks) { return std::ceil(std::sqrt(static_cast<double>(ranks))); }

std::vector<Claim> claims_on_start_ups() {
  Claim a1("3.1.1", "A1: P start-ups");
  Claim a2("3.1.2", "A2: 2 P start-ups");
  Claim a3("3.1.3", "A3: 2 sqrt P start-ups, P a square");
  Claim a4("Theorem 2", "A4: at most 4 ceil(sqrt P) + 2 start-ups");
  auto counted = [](const char* name, Rank ranks) {
    return static_cast<double>(make_algorithm(name, ranks, 1)->start_ups());
  };
  for (Rank ranks = 1; ranks <= kMostScheduleRanks; ++ranks) {
    const std::string name = fmt::format("P = {}", ranks);
    a1.expect_equal(name, ranks, counted("linear", ranks));
    a2.expect_equal(name, 2.0 * ranks, counted("two-stage", ranks));
    const double root = ceiling_of_root(ranks);
    if (root * root == ranks) a3.expect_equal(name, 2 * root, counted("row-column-square", ranks));
    const double found = counted("four-stage", ranks);
    a4.try_case(name, found <= 4 * root + 2, 4 * root + 2, found);
  }
  return {a1, a2, a3, a4};
}

/// Messages that meet another one at their receiver.
double collisions_of(const NodeArray& array) {
  double collisions = 0;
  std::set<std::pair<int, Rank>> taken;
  for (Rank node = 0; node < array.nodes(); ++node) {
    for (const Step& step : unrevised_row_sends(array, node)) {
      if (step.to != kNoRank && !taken.emplace(step.number, step.to).second) ++collisions;
    }
  }
  return collisions;
}

std::vector<Claim> claims_on_revised_schedule() {
  Claim plain("Fig. 9", "the R-Schedule collides wherever a row is incomplete");
  Claim additional("Fig. 8", "r (C - r) additional messages, all in rows below r");
  Claim revised("Fig. 10", "the revised one does not (corrected rule)");
  Claim steps("3.2.2", "and takes C + 1 steps");
  for (Rank ranks = 1; ranks <= kMostScheduleRanks; ++ranks) {
    const NodeArray array = NodeArray::balanced(ranks, 2);
    if (array.remainder() == 0) continue;
    const std::string name = fmt::format("P = {}", ranks);
    const double collisions = collisions_of(array);
    plain.try_case(name, collisions > 0, 1, collisions);
    double more = 0;
    for (Rank node = 0; node < ranks; ++node) {
      more += array.contacted_by(node) - array.columns();
    }
    // Nodes of the incomplete row hear from r columns only.
    const Rank missing = array.columns() - array.remainder();
    more += array.remainder() * missing;
    additional.expect_equal(name, static_cast<double>(array.remainder()) * missing, more);
    const auto violations = check_schedule(ranks, row_step_count(array),
                                           [&](Rank node) { return row_steps(array, node); });
    revised.expect_equal(name, 0, static_cast<double>(violations.size()));
    steps.expect_equal(name, array.columns() + 1, row_step_count(array));
  }
  return {additional, plain, revised, steps};
}

/// Lemma 3 and Theorem 1, where every block is P elements long, so that all cuts are exact.
std::vector<Claim> claims_on_messages() {
  Claim row_stages("Table 2", "stages I, III: messages up to R L, in incomplete columns (R-1) L");
  Claim column_stages("Table 2", "stages II, IV: up to C L, in incomplete columns (C+1) L");
  Claim buffer("Theorem 1", "no rank holds more than ceil(sqrt P)^2 L");
  for (Rank ranks = 1; ranks <= kMostFollowed; ++ranks) {
    const NodeArray array = NodeArray::balanced(ranks, 2);
    const auto traffic = make_traffic("uniform", {.ranks = ranks, .maximum = ranks});
    const auto flows = follow_traffic(*make_algorithm("four-stage", ranks, 1), *traffic, 1);
    const double share = ranks;  // L = L_max / P
    for (std::size_t stage = 0; stage < flows.size(); ++stage) {
      for (Rank rank = 0; rank < ranks; ++rank) {
        const Rank column = array.column_of(rank);
        const bool whole = array.height(column) == array.rows();
        const double longest = stage % 2 == 0 ? array.height(column)
                               : whole        ? array.columns()
                                              : array.columns() + 1;
        const auto found =
            static_cast<double>(flows[stage].longest_message[static_cast<std::size_t>(rank)]);
        (stage % 2 == 0 ? row_stages : column_stages)
            .try_case(fmt::format("P = {}, stage {}, rank {}", ranks, stage + 1, rank),
                      found <= longest * share, longest * share, found);
      }
      const auto load = static_cast<double>(flows[stage].largest_load());
      const double most = ceiling_of_root(ranks) * ceiling_of_root(ranks) * share;
      buffer.try_case(fmt::format("P = {}, stage {}", ranks, stage + 1), load <= most, most, load);
    }
  }
  return {row_stages, column_stages, buffer};
}

Table ratio_table(const LineChart& chart) {
  Table table({{"machine, pattern", Align::left},
               {"M_max", Align::right, "maximum_elements"},
               {"A1/A4", Align::right, "a1_over_a4"},
               {"A2/A4", Align::right, "a2_over_a4"},
               {"A3/A4", Align::right, "a3_over_a4"}});
  for (const Panel& panel : chart.panels) {
    for (std::size_t i = 0; i < panel.curves.front().points.size(); i += 2) {
      const double a4 = panel.curves[3].points[i].y;
      table.add({panel.title, rounded(panel.curves[3].points[i].x, 0),
                 rounded(panel.curves[0].points[i].y / a4, 2),
                 rounded(panel.curves[1].points[i].y / a4, 2),
                 rounded(panel.curves[2].points[i].y / a4, 2)});
    }
  }
  return table;
}

}  // namespace

Reproduction reproduce_liu2002() {
  Reproduction paper;
  paper.paper = "Liu 2002: Portable and Scalable Algorithm for Irregular All-to-All Communication";
  const LineChart figure = figures_16_to_22();
  paper.numbers.push_back(
      {"ratios",
       "Times over that of A4 on 64 ranks, 1 element elsewhere, in blocking mode on one\n"
       "port a rank, where each step waits for its longest message:",
       ratio_table(figure)});
  paper.figures.push_back({"liu2002-one-port", figure});
  for (const auto& claims :
       {claims_on_start_ups(), claims_on_revised_schedule(), claims_on_messages()}) {
    paper.claims.insert(paper.claims.end(), claims.begin(), claims.end());
  }
  paper.claims.push_back(
      comparison(figure, "Fig. 16, 18", "A4 is ahead of A1 on one port", "A4", "A1"));
  paper.claims.push_back(
      comparison(figure, "Fig. 16, 18", "A4 is ahead of A2 on one port", "A4", "A2"));
  return paper;
}

}  // namespace shunt
