// Liu, Gu, Bi, Tu, Dong: Optimal All-to-All Personalized Communication in All-Port Tori, 2005.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "lab/flow/link_flow.hpp"
#include "lab/proof/proof.hpp"
#include "lab/proof/torus_cost.hpp"
#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic.hpp"
#include "tools/papers/reproduction.hpp"

namespace shunt {

namespace {

/// Section 5: t_s, t_w and rho of the Intel Paragon, in microseconds.
constexpr LinkCost kLiuParagon{75, 0.011, 0.014};
constexpr Bytes kLongestBlock = 4096;
constexpr Rank kLongestRing = 64;
constexpr Rank kLongestExtent = 16;
constexpr Rank kMostTorusRanks = 144;  ///< of the tori of any extents

struct Formula {
  TorusAlgorithm algorithm;
  const char* name;
};

constexpr Formula kTable2[] = {{TorusAlgorithm::tseng_1997, "[5] Tseng 1997"},
                               {TorusAlgorithm::suh_1998, "[6] Suh 1998"},
                               {TorusAlgorithm::suh_2001, "[10] Suh 2001"},
                               {TorusAlgorithm::at2, "AT2"}};

/// What an algorithm costs where every rank has a block for each, counted from its messages. A
/// phase, which the paper's rearrangement precedes, begins with a stage that is its step 1.
TorusCost counted_cost(const std::string& name, Rank ranks) {
  const auto algorithm = make_algorithm(name, ranks, 1);
  // Blocks that all cuts into parts, and these into halves, divide.
  const Bytes block = Bytes{16} * algorithm->link_contention_free_on()->dimensions();
  const auto traffic = make_traffic("uniform", {.ranks = ranks, .maximum = 1});
  TorusCost cost;
  cost.start_ups = algorithm->stages();
  const LinkFlow flow = follow_links(*algorithm, *traffic, block);
  cost.transmission = static_cast<double>(flow.transmission()) / static_cast<double>(block);
  for (int stage = 0; stage < algorithm->stages(); ++stage) {
    if (algorithm->stage_name(stage).ends_with(", step 1")) cost.rearrangement += ranks;
  }
  return cost;
}

/// Blocks on the links of the longest dimension, on shortest paths, shared out evenly.
double least_by_counting(const Extents& torus) {
  double least = 0;
  for (int dimension = 0; dimension < torus.dimensions(); ++dimension) {
    double links = 0;
    for (Rank to = 0; to < torus.ranks(); ++to) {
      const Rank ahead = torus.ahead(0, to, dimension);
      links += std::min(ahead, torus.extent(dimension) - ahead);
    }
    least = std::max(least, links / 2);
  }
  return least;
}

template <class Visit>
void for_each_torus(Rank step, const Visit& visit) {
  for (Rank rows = step; rows <= kLongestExtent; rows += step) {
    for (Rank columns = rows; columns <= kLongestExtent; columns += step) visit(rows, columns);
  }
}

Table table_2() {
  constexpr int kD = 4;
  constexpr Bytes kBlock = 64;
  Table table({{"algorithm", Align::left},
               {"from", Align::left},
               {"start-ups"},
               {"transmitted", Align::right, "transmitted_blocks"},
               {"rearranged", Align::right, "rearranged_blocks"},
               {"us", Align::right, "time_us"}});
  auto add = [&](const std::string& name, const char* source, const TorusCost& cost) {
    table.add({name, source, rounded(cost.start_ups, 0), rounded(cost.transmission, 0),
               rounded(cost.rearrangement, 0), rounded(cost.seconds(kLiuParagon, kBlock), 1)});
  };
  for (const Formula& formula : kTable2) {
    add(formula.name, "Table II", table_2_cost(formula.algorithm, kD));
  }
  for (const char* name : {"torus:16x16", "torus-pipeline:16x16", "torus-split:16x16"}) {
    add(name, "schedule", counted_cost(name, 1 << (2 * kD)));
  }
  return table;
}

LineChart formulas_of_figure_6() {
  LineChart chart{"Liu 2005, Fig. 6: complete exchange on tori, by the formulas of Table II",
                  "Intel Paragon: t_s = 75 us, t_w = 0.011 us/byte, rho = 0.014 us/byte",
                  {"bytes of a block", Spacing::logarithmic, Unit::bytes},
                  {"time", Spacing::logarithmic, Unit::seconds},
                  {}};
  for (const int d : {4, 5, 6, 7}) {
    Panel panel{fmt::format("{0} x {0}", 1 << d), {}};
    for (const Formula& formula : kTable2) {
      Curve curve{formula.name, {}};
      const TorusCost cost = table_2_cost(formula.algorithm, d);
      for (Bytes block = 1; block <= kLongestBlock; block *= 4) {
        curve.points.push_back(
            {static_cast<double>(block), cost.seconds(kLiuParagon, block) * 1e-6});
      }
      panel.curves.push_back(std::move(curve));
    }
    chart.panels.push_back(std::move(panel));
  }
  return chart;
}

std::vector<Claim> claims_on_bounds() {
  Claim bound("Lemma 1", "at least N V / 8 blocks on the busiest link, N even and the longest");
  for_each_torus(1, [&](Rank rows, Rank columns) {
    if (columns % 2 != 0) return;
    const Extents torus({rows, columns});
    bound.expect_equal(torus.name(), torus.ranks() * columns / 8.0, least_by_counting(torus));
  });
  return {bound};
}

std::vector<Claim> claims_on_rings() {
  Claim proven("Fig. 2", "AR: delivers all, on shortest paths, no link shared (corrected rule)");
  Claim start_ups("Lemma 2", "AR: p/2 start-ups");
  Claim transmission("Lemma 2", "AR: ceil(p^2 / 8) blocks transmitted");
  Claim least("III.B", "AR: that is the bound of Lemma 1");
  for (Rank ranks = 4; ranks <= kLongestRing; ranks += 2) {
    const std::string name = fmt::format("p = {}", ranks);
    const auto violations = prove(*make_algorithm("torus-ring", ranks, 1), ranks).violations.size();
    proven.expect_equal(name, 0, static_cast<double>(violations));
    const TorusCost cost = counted_cost("torus-ring", ranks);
    start_ups.expect_equal(name, ranks / 2.0, cost.start_ups);
    transmission.expect_equal(name, std::ceil(ranks * ranks / 8.0), cost.transmission);
    least.expect_equal(name, ranks * ranks / 8.0, cost.transmission);
  }
  return {proven, start_ups, transmission, least};
}

std::vector<Claim> claims_on_at2() {
  Claim proven("Fig. 5", "AT2: delivers all, on shortest paths, no link shared (corrected rule)");
  Claim transmission("Lemma 4", "AT2: r c^2 / 8 blocks transmitted, the least");
  Claim start_ups("IV.D", "AT2: c/2 + 2 start-ups");
  Claim rearrangement("IV.D", "AT2: 3 r c blocks rearranged");
  Claim pipeline("-", "AT2 with the two-way pipeline for AR: r c^2 / 8 blocks, also so");
  for_each_torus(4, [&](Rank rows, Rank columns) {
    const std::string shape = fmt::format("{}x{}", rows, columns);
    const Rank ranks = rows * columns;
    const auto at2 = make_algorithm("torus:" + shape, ranks, 1);
    proven.expect_equal(shape, 0, static_cast<double>(prove(*at2, ranks).violations.size()));
    const TorusCost published = published_torus_cost(rows, columns);
    const TorusCost cost = counted_cost("torus:" + shape, ranks);
    start_ups.expect_equal(shape, published.start_ups, cost.start_ups);
    transmission.expect_equal(shape, published.transmission, cost.transmission);
    rearrangement.expect_equal(shape, published.rearrangement, cost.rearrangement);
    pipeline.expect_equal(shape, published.transmission,
                          counted_cost("torus-pipeline:" + shape, ranks).transmission);
  });
  return {proven, start_ups, transmission, rearrangement, pipeline};
}

std::vector<Claim> claims_of_the_comparison() {
  const auto cost = [](TorusAlgorithm algorithm, int d) { return table_2_cost(algorithm, d); };
  Claim less("V", "AT2 transmits and rearranges less than [5]");
  Claim same("V", "AT2 has the start-ups and the rearrangement of [10]");
  for (int d = 2; d <= 7; ++d) {
    const std::string shape = fmt::format("{0}x{0}", 1 << d);
    const TorusCost at2 = cost(TorusAlgorithm::at2, d);
    const TorusCost tseng = cost(TorusAlgorithm::tseng_1997, d);
    const TorusCost suh = cost(TorusAlgorithm::suh_2001, d);
    less.try_case(shape + ", transmitted", at2.transmission < tseng.transmission,
                  tseng.transmission, at2.transmission);
    less.try_case(shape + ", rearranged", at2.rearrangement < tseng.rearrangement,
                  tseng.rearrangement, at2.rearrangement);
    same.expect_equal(shape + ", start-ups", suh.start_ups, at2.start_ups);
    same.expect_equal(shape + ", rearranged", suh.rearrangement, at2.rearrangement);
  }
  Claim least("V, Fig. 6", "AT2 is the fastest for any block on any of the four tori");
  for (const int d : {4, 5, 6, 7}) {
    for (Bytes block = 1; block <= kLongestBlock; block *= 2) {
      double others = cost(kTable2[0].algorithm, d).seconds(kLiuParagon, block);
      for (const Formula& formula : kTable2) {
        if (formula.algorithm == TorusAlgorithm::at2) continue;
        others = std::min(others, cost(formula.algorithm, d).seconds(kLiuParagon, block));
      }
      const double at2 = cost(TorusAlgorithm::at2, d).seconds(kLiuParagon, block);
      least.try_case(fmt::format("{0}x{0}, {1} B, us", 1 << d, block), at2 < others, others, at2);
    }
  }
  return {less, same, least};
}

std::vector<Claim> claims_on_other_tori() {
  Claim split("VI", "any extents: the least is transmitted (torus-split, no imaginary nodes)");
  for_each_torus(1, [&](Rank rows, Rank columns) {
    const Extents torus({rows, columns});
    if (torus.ranks() > kMostTorusRanks) return;
    split.expect_equal(torus.name(), least_transmission(torus),
                       counted_cost("torus-split:" + torus.name(), torus.ranks()).transmission);
  });
  Claim dimensions("VI", "more dimensions: the least is transmitted (torus-split)");
  for (const char* shape : {"3x3x3", "4x4x4", "5x6x7", "6x6x6", "2x3x4x5", "4x4x4x4"}) {
    const Extents torus = Extents::parse(shape);
    dimensions.expect_equal(
        shape, least_transmission(torus),
        counted_cost(std::string("torus-split:") + shape, torus.ranks()).transmission);
  }
  return {split, dimensions};
}

}  // namespace

Reproduction reproduce_liu2005() {
  Reproduction paper;
  paper.paper = "Liu 2005: Optimal All-to-All Personalized Communication in All-Port Tori";
  paper.numbers.push_back(
      {"table-2",
       "Table II on 16 x 16 ranks, beside what was counted from schedules; blocks, and\n"
       "the time for blocks of 64 bytes with the figures of the Intel Paragon:",
       table_2()});
  const LineChart figure = formulas_of_figure_6();
  paper.numbers.push_back({"figure-6",
                           "Fig. 6: milliseconds by the formulas of Table II. The axes of the "
                           "print are not\nknown to us; these are blocks of 1 byte to 4 KiB:",
                           table_of(figure, {"torus", Align::left},
                                    {"bytes", Align::right, "block_bytes"}, {"time_ms", 1e-3, 3})});
  paper.figures.push_back({"liu2005-figure-6", figure});
  for (const auto& claims : {claims_on_bounds(), claims_on_rings(), claims_on_at2(),
                             claims_of_the_comparison(), claims_on_other_tori()}) {
    paper.claims.insert(paper.claims.end(), claims.begin(), claims.end());
  }
  return paper;
}

}  // namespace shunt
