// Hambrusch, Khokhar, Liu: Scalable S-to-P Broadcasting on Message-Passing MPPs, 1998. What can be
// counted from schedules, and followed on one port a rank; what needs links that messages share, or
// sends that overlap, is in hambrusch1998_simulated.cpp.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "algorithms/broadcast_registry.hpp"
#include "model/source_patterns.hpp"
#include "papers/reproduction.hpp"
#include "routing/broadcast_flow.hpp"

namespace shunt {

namespace {

/// Intel Paragon: start-up time and time per byte.
constexpr LinkCost kParagon{75e-6, 0.011e-6, 0};
constexpr const char* kFive[] = {"2-step", "pers-all-to-all", "br-lin", "br-xy-source",
                                 "br-xy-dim"};
constexpr std::size_t kFirstBr = 2;  ///< of the five
constexpr Rank kMostRanks = 256;     ///< of Fig. 2

/// Sources in the paper's terms: "Cr" of `count` blocks of `length` bytes on an array.
struct Case {
  const char* letter;
  Rank count;
  Bytes length;
  const char* array;
};

Sources sources_of(const Case& of) {
  const Extents array = Extents::parse(of.array);
  return Sources::equal(array.ranks(),
                        place_sources(of.letter, {.array = array, .count = of.count}), of.length);
}

std::unique_ptr<Broadcast> made(const std::string& name, const Case& of) {
  // The line of br-lin goes through the array like a snake.
  const bool takes_array = name.starts_with("br-") || name.starts_with("repos-");
  return make_broadcast(takes_array ? fmt::format("{}:{}", name, of.array) : name, sources_of(of));
}

double seconds(const std::string& name, const Case& of) {
  const auto broadcast = made(name, of);
  return seconds_of(follow_broadcast(*broadcast), broadcast->ranks(), kParagon);
}

/// How much longer than by Br_xy_source it takes without repositioning, in percent of the longer.
double gain(const Case& of) {
  const double plain = seconds("br-xy-source", of);
  const double moved = seconds("repos-xy-source", of);
  return 100 * (plain - moved) / std::max(plain, moved);
}

Table figure_2() {
  Table table({{"broadcast", Align::left},
               {"s"},
               {"congestion"},
               {"wait"},
               {"# send/rec"},
               {"av_msg_lgth"},
               {"av_act_proc"}});
  for (const Rank count : {16, 15}) {
    for (const char* name : {"2-step", "pers-all-to-all", "br-lin"}) {
      const Sources sources = sources_of({"E", count, 1, "64"});
      const auto metrics = metrics_of(
          *make_broadcast(name, sources),
          std::string_view(name) == "pers-all-to-all" ? Iteration::step : Iteration::stage);
      table.add({name, count, metrics.congestion, metrics.wait, metrics.messages,
                 rounded(metrics.average_length, 2), rounded(metrics.average_active, 2)});
    }
  }
  return table;
}

template <class X, class CaseOf>
Panel panel_of_five(const char* title, const std::vector<X>& values, const CaseOf& case_of) {
  Panel panel{title, {}};
  for (const char* name : kFive) {
    Curve curve{name, {}};
    for (const X value : values) {
      curve.points.push_back({static_cast<double>(value), seconds(name, case_of(value))});
    }
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

LineChart figure_3() {
  const std::vector<Rank> counts{1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
  return {"Hambrusch 1998, Fig. 3: five broadcasts from s of 10 x 10 ranks",
          "E(s), blocks of 4 KiB; 75 us a message, 0.011 us a byte, one port a rank",
          {"sources", Spacing::logarithmic, Unit::count},
          {"time", Spacing::logarithmic, Unit::seconds},
          {panel_of_five("E(s), 4 KiB", counts, [](Rank s) {
            return Case{"E", s, 4096, "10x10"};
          })}};
}

LineChart figure_4() {
  std::vector<Bytes> lengths;
  for (Bytes length = 32; length <= 16384; length *= 2) lengths.push_back(length);
  return {"Hambrusch 1998, Fig. 4: five broadcasts from 30 of 10 x 10 ranks",
          "Dr(30); 75 us a message, 0.011 us a byte, one port a rank",
          {"bytes of a block", Spacing::logarithmic, Unit::bytes},
          {"time", Spacing::logarithmic, Unit::seconds},
          {panel_of_five("Dr(30)", lengths, [](Bytes length) {
            return Case{"Dr", 30, length, "10x10"};
          })}};
}

Table figure_6() {
  Table table({{"distribution", Align::left}, {"br-lin"}, {"br-xy-source"}, {"br-xy-dim"}});
  for (const char* letter : {"R", "C", "E", "Dr", "Dl", "B", "Cr", "Sq"}) {
    const Case of{letter, 30, 2048, "10x10"};
    table.add({fmt::format("{}(30)", letter), rounded(seconds("br-lin", of) * 1e3, 3),
               rounded(seconds("br-xy-source", of) * 1e3, 3),
               rounded(seconds("br-xy-dim", of) * 1e3, 3)});
  }
  return table;
}

constexpr const char* kMoved[] = {"Cr", "Sq", "E", "B"};

template <class X, class CaseOf>
Table gains(const char* heading, const std::vector<X>& values, const CaseOf& case_of) {
  std::vector<Column> columns{{heading}};
  for (const char* letter : kMoved) columns.push_back({letter});
  Table table(columns);
  for (const X value : values) {
    std::vector<Cell> row{value};
    for (const char* letter : kMoved) row.push_back(rounded(gain(case_of(letter, value)), 1));
    table.add(std::move(row));
  }
  return table;
}

/// av_msg_lgth is ((s-1) + s(k-l)) / k, and av_act_proc (s l + 2p - 2s) / k; p = 2^k.
std::vector<Claim> claims_on_metrics() {
  Claim length("Fig. 2", "Br_Lin, s = 2^l: av_msg_lgth");
  Claim active("Fig. 2", "Br_Lin, s = 2^l: av_act_proc");
  Claim less("Fig. 2", "Br_Lin, s = 2^l - 1: shorter messages");
  Claim congestion("Fig. 2", "congestion: 2-Step s, others 2 at most");
  for (int k = 2; Rank{1} << k <= kMostRanks; ++k) {
    const Rank ranks = 1 << k;
    const auto metrics = [&](const char* name, Rank s) {
      const Sources sources =
          Sources::equal(ranks, place_sources("equal", {.array = Extents({ranks}), .count = s}), 1);
      return metrics_of(*make_broadcast(name, sources),
                        name == kFive[1] ? Iteration::step : Iteration::stage);
    };
    for (int l = 0; l <= k; ++l) {
      const Rank s = 1 << l;
      const std::string name = fmt::format("p = {}, s = {}", ranks, s);
      const BroadcastMetrics lin = metrics("br-lin", s);
      length.expect_equal(name, ((s - 1.0) + s * (k - l)) / k, lin.average_length);
      active.expect_equal(name, (s * l + 2.0 * ranks - 2.0 * s) / k, lin.average_active);
      if (l > 1 && l < k) {
        const double other = metrics("br-lin", s - 1).average_length;
        less.try_case(name, other < lin.average_length, lin.average_length, other);
      }
      if (l == 0) continue;
      // Rank 0, which gathers, is a source itself.
      const double gathered = metrics(kFive[0], s).congestion;
      congestion.try_case(name + ", 2-Step", gathered >= s - 1 && gathered <= s, s, gathered);
      congestion.try_case(name + ", Br_Lin", lin.congestion <= 2, 2, lin.congestion);
      const double direct = metrics(kFive[1], s).congestion;
      congestion.try_case(name + ", PersAlltoAll", direct <= 2, 2, direct);
    }
  }
  return {length, active, less, congestion};
}

/// Ranks that hold anything after the first iteration.
Rank holders_after_one(const Broadcast& broadcast) {
  Rank holders = 0;
  for (Rank rank = 0; rank < broadcast.ranks(); ++rank) {
    bool holds = broadcast.sources().is_source(rank);
    for (const Step& step : broadcast.steps(0, rank)) holds = holds || step.from != kNoRank;
    if (holds) ++holders;
  }
  return holders;
}

std::vector<Claim> claims_on_distributions() {
  Claim rows("4", "Br_xy_source, R(20): none new at first");
  rows.expect_equal("rows 1 and 6", 20,
                    holders_after_one(*made("br-xy-source", {"R", 20, 1, "10x10"})));
  Claim moved("4", "the same, rows 1 and 7: some new");
  std::vector<Rank> first_and_seventh;
  for (Rank column = 0; column < 10; ++column) {
    first_and_seventh.insert(first_and_seventh.end(), {column, 60 + column});
  }
  const double holders = holders_after_one(
      *make_broadcast("br-xy-source:10x10", Sources::equal(100, first_and_seventh, 1)));
  moved.try_case("rows 1 and 7", holders > 20, 40, holders);
  Claim diagonal("4", "Br_Lin, Dr(10): none new at first");
  const Sources sources = sources_of({"Dr", 10, 1, "10x10"});
  for (const char* name : {"br-lin", "br-lin:10x10"}) {
    diagonal.expect_equal(name, 10, holders_after_one(*make_broadcast(name, sources)));
  }
  Claim left("4", "Br_Lin: Dl no slower than first ranks");
  for (Rank s = 10; s <= 90; s += 10) {
    std::vector<Rank> first(static_cast<std::size_t>(s));
    std::iota(first.begin(), first.end(), 0);
    const auto ideal = make_broadcast("br-lin", Sources::equal(100, first, 2048));
    const double least = seconds_of(follow_broadcast(*ideal), 100, kParagon) * 1e3;
    const double found = seconds("br-lin", {"Dl", s, 2048, "10x10"}) * 1e3;
    left.try_case(fmt::format("s = {}, ms", s), found <= least, least, found);
  }
  return {rows, moved, diagonal, left};
}

/// Whether the three of Br_ are ahead of one of the five at every point.
Claim behind(const LineChart& chart, const char* place, const char* sentence, std::size_t other) {
  Claim claim(place, sentence);
  const auto& curves = chart.panels.front().curves;
  for (std::size_t i = 0; i < curves[other].points.size(); ++i) {
    const Point& theirs = curves[other].points[i];
    for (std::size_t br = kFirstBr; br < curves.size(); ++br) {
      claim.try_case(fmt::format("{} at {}, ms", curves[br].name, theirs.x),
                     curves[br].points[i].y < theirs.y, theirs.y * 1e3,
                     curves[br].points[i].y * 1e3);
    }
  }
  return claim;
}

std::vector<Claim> claims_on_times(const LineChart& by_sources, const LineChart& by_length) {
  Claim alike("Fig. 3", "Br_.. within a quarter of each other");
  for (const LineChart* const chart : {&by_sources, &by_length}) {
    const auto& curves = chart->panels.front().curves;
    for (std::size_t i = 0; i < curves.front().points.size(); ++i) {
      std::vector<double> times;
      for (std::size_t br = kFirstBr; br < curves.size(); ++br) {
        times.push_back(curves[br].points[i].y);
      }
      const auto [least, most] = std::ranges::minmax(times);
      alike.try_case(fmt::format("{}", curves.front().points[i].x), most <= 1.25 * least, 1.25,
                     most / least);
    }
  }
  Claim flat("Fig. 4", "PersAlltoAll hardly grows to 1 KiB");
  const auto& direct = by_length.panels.front().curves[1].points;
  for (const Point& point : direct) {
    if (point.x > 1024) continue;
    flat.try_case(fmt::format("{} bytes", point.x), point.y < 1.2 * direct.front().y, 1.2,
                  point.y / direct.front().y);
  }
  Claim spread("Fig. 7", "80 KiB: faster from more sources");
  const Rank counts[] = {1, 5, 10, 20, 40};
  for (std::size_t i = 1; i < std::size(counts); ++i) {
    const double fewer =
        seconds("br-xy-source", {"Dr", counts[i - 1], 81920 / counts[i - 1], "10x10"});
    const double more = seconds("br-xy-source", {"Dr", counts[i], 81920 / counts[i], "10x10"});
    spread.try_case(fmt::format("{} sources, ms", counts[i]), more < fewer, fewer * 1e3,
                    more * 1e3);
  }
  return {behind(by_sources, "Fig. 3", "2-Step slower than Br_..", 0),
          behind(by_sources, "Fig. 3", "PersAlltoAll slower than Br_..", 1),
          behind(by_length, "Fig. 4", "2-Step slower than Br_..", 0),
          behind(by_length, "Fig. 4", "PersAlltoAll slower than Br_..", 1),
          alike,
          flat,
          spread};
}

std::vector<Claim> claims_on_figure_6() {
  const auto time = [](const char* name, const char* letter) {
    return seconds(name, {letter, 30, 2048, "10x10"}) * 1e3;
  };
  Claim same("Fig. 6", "Br_xy_source: R, C, E, Dr alike");
  Claim hard("Fig. 6", "Br_xy_source: Cr, Sq take longer");
  Claim lin("Fig. 6", "Br_Lin is the fastest on Cr and Sq");
  const double row = time("br-xy-source", "R");
  for (const char* letter : {"R", "C", "E", "Dr"}) {
    const double easy = time("br-xy-source", letter);
    same.try_case(letter, std::abs(easy - row) <= 0.25 * row, row, easy);
    for (const char* other : {"Cr", "Sq"}) {
      const double found = time("br-xy-source", other);
      hard.try_case(fmt::format("{}, {}, ms", letter, other), found > easy, easy, found);
    }
  }
  for (const char* letter : {"Cr", "Sq"}) {
    for (const char* name : {"br-xy-source", "br-xy-dim"}) {
      const double other = time(name, letter);
      const double found = time("br-lin", letter);
      lin.try_case(fmt::format("{}, {}, ms", letter, name), found < other, other, found);
    }
  }
  Claim dimension("Fig. 6", "Br_xy_dim takes a fifth longer on R");
  const double found = time("br-xy-dim", "R");
  dimension.try_case("ratio", found > 1.2 * row, 1.2, found / row);
  return {same, hard, lin, dimension};
}

std::vector<Claim> claims_on_repositioning() {
  Claim pays("Fig. 9", "repositioning pays for Cr and Sq");
  Claim band("Fig. 9", "it costs B at most 6.5 %");
  Claim tapers("Fig. 9", "Cr, Sq gain less at s = 192 than 48");
  const auto at = [](const char* letter, Rank s) { return gain({letter, s, 6144, "16x16"}); };
  for (Rank s = 16; s <= 192; s += 16) {
    for (const char* letter : {"Cr", "Sq"}) {
      const double found = at(letter, s);
      pays.try_case(fmt::format("{}({}), %", letter, s), found > 0, 0, found);
    }
    const double found = at("B", s);
    band.try_case(fmt::format("B({}), %", s), found >= -6.5, -6.5, found);
  }
  for (const char* letter : {"Cr", "Sq"}) {
    const double few = at(letter, 48);
    const double many = at(letter, 192);
    tapers.try_case(fmt::format("{}, %", letter), many < few, few, many);
  }
  Claim grows("Fig. 10", "the gain grows from 128 B to 4 KiB");
  Claim shorter("Fig. 10", "below 1 KiB it pays for Cr alone");
  for (const char* letter : kMoved) {
    const double few = gain({letter, 75, 128, "16x16"});
    const double many = gain({letter, 75, 4096, "16x16"});
    grows.try_case(fmt::format("{}, %", letter), many > few, few, many);
    for (const Bytes length : {128, 256, 512}) {
      const double found = gain({letter, 75, length, "16x16"});
      const bool is_cross = std::string_view(letter) == "Cr";
      shorter.try_case(fmt::format("{}, {} bytes, %", letter, length), (found > 0) == is_cross, 0,
                       found);
    }
  }
  return {pays, band, tapers, grows, shorter};
}

}  // namespace

Reproduction reproduce_hambrusch1998() {
  Reproduction paper;
  paper.paper = "Hambrusch 1998: Scalable S-to-P Broadcasting on Message-Passing MPPs";
  paper.numbers.push_back({"figure 2",
                           "Fig. 2: E(s) on 64 ranks, blocks of one unit; counted from schedules. "
                           "An\niteration of pers-all-to-all is a step:",
                           figure_2()});
  const LineChart by_sources = figure_3();
  paper.numbers.push_back({"figure 3",
                           "Fig. 3: milliseconds for E(s) on 10 x 10 ranks, blocks of 4 KiB; here "
                           "and below\n75 us a message and 0.011 us a byte, one port a rank, no "
                           "link shared:",
                           table_of(by_sources, "distribution", "sources", 1e-3, 3)});
  const LineChart by_length = figure_4();
  paper.numbers.push_back({"figure 4", "Fig. 4: milliseconds for Dr(30) on 10 x 10 ranks:",
                           table_of(by_length, "distribution", "bytes", 1e-3, 3)});
  paper.numbers.push_back(
      {"figure 6", "Fig. 6: milliseconds for blocks of 2 KiB on 10 x 10 ranks:", figure_6()});
  std::vector<Rank> counts;
  for (Rank s = 16; s <= 192; s += 16) counts.push_back(s);
  paper.numbers.push_back(
      {"figure 9",
       "Fig. 9: percent that repos-xy-source gains over br-xy-source on 16 x 16 ranks,\nblocks of "
       "6 KiB:",
       gains("sources", counts, [](const char* letter, Rank s) {
         return Case{letter, s, 6144, "16x16"};
       })});
  const std::vector<Bytes> lengths{128, 256, 512, 1024, 2048, 4096, 8192, 16384};
  paper.numbers.push_back({"figure 10", "Fig. 10: the same for 75 sources:",
                           gains("bytes", lengths, [](const char* letter, Bytes length) {
                             return Case{letter, 75, length, "16x16"};
                           })});
  paper.figures.push_back({"hambrusch1998-figure-3", by_sources});
  paper.figures.push_back({"hambrusch1998-figure-4", by_length});
  for (const auto& claims :
       {claims_on_metrics(), claims_on_distributions(), claims_on_times(by_sources, by_length),
        claims_on_figure_6(), claims_on_repositioning()}) {
    paper.claims.insert(paper.claims.end(), claims.begin(), claims.end());
  }
  return paper;
}

}  // namespace shunt
