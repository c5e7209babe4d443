// Hambrusch, Khokhar, Liu: Scalable S-to-P Broadcasting on Message-Passing MPPs, 1998. The figures
// that can be counted from schedules, and followed on one port a rank; what needs links that
// messages share, or sends that overlap, is in hambrusch1998_simulated.cpp.
#include "tools/papers/hambrusch1998.hpp"

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "algorithms/allgather_registry.hpp"
#include "lab/flow/allgather_flow.hpp"

namespace shunt {

using namespace hambrusch1998;

namespace {

Table figure_2() {
  Table table({{"broadcast", Align::left},
               {"s", Align::right, "sources"},
               {"congestion"},
               {"wait"},
               {"# send/rec"},
               {"av_msg_lgth"},
               {"av_act_proc"}});
  for (const Rank count : {16, 15}) {
    for (const auto& [shown, name] : std::span(kFive).first(kFirstBr + 1)) {
      const Sources sources = sources_of({"E", count, 1, "64"});
      const auto metrics =
          metrics_of(*make_allgather(name, sources),
                     std::string_view(name) == "direct" ? Iteration::step : Iteration::stage);
      table.add({shown, count, metrics.congestion, metrics.wait, metrics.messages,
                 rounded(metrics.average_length, 2), rounded(metrics.average_active, 2)});
    }
  }
  return table;
}

template <class X, class CaseOf>
Panel panel_of_five(const char* title, const std::vector<X>& values, const CaseOf& case_of) {
  Panel panel{title, {}};
  for (const auto& [shown, name] : kFive) {
    Curve curve{shown, {}};
    for (const X value : values) {
      curve.points.push_back({static_cast<double>(value), seconds(name, case_of(value))});
    }
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

LineChart times_of_figure_3() {
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

Table times_of_figure_6() {
  const auto three = std::span(kFive).subspan(kFirstBr);
  std::vector<Column> columns{{"distribution", Align::left}};
  for (const auto& [shown, name] : three) {
    columns.push_back({shown, Align::right, "time_ms", "curve"});
  }
  Table table(columns);
  for (const char* letter : {"R", "C", "E", "Dr", "Dl", "B", "Cr", "Sq"}) {
    const Case of{letter, 30, 2048, "10x10"};
    std::vector<Cell> row{fmt::format("{}(30)", letter)};
    for (const auto& [shown, name] : three) row.push_back(rounded(seconds(name, of) * 1e3, 3));
    table.add(std::move(row));
  }
  return table;
}

template <class X, class CaseOf>
Table gains(const Column& of_values, const std::vector<X>& values, const CaseOf& case_of) {
  std::vector<Column> columns{of_values};
  for (const char* letter : kMoved) {
    columns.push_back({letter, Align::right, "gain_percent", "distribution"});
  }
  Table table(columns);
  for (const X value : values) {
    std::vector<Cell> row{value};
    for (const char* letter : kMoved) row.push_back(rounded(gain(case_of(letter, value)), 1));
    table.add(std::move(row));
  }
  return table;
}

}  // namespace

Reproduction reproduce_hambrusch1998() {
  Reproduction paper;
  paper.paper = "Hambrusch 1998: Scalable S-to-P Broadcasting on Message-Passing MPPs";
  paper.numbers.push_back({"figure-2",
                           "Fig. 2: E(s) on 64 ranks, blocks of one unit; counted from schedules. "
                           "An\niteration of PersAlltoAll is a step:",
                           figure_2()});
  const LineChart by_sources = times_of_figure_3();
  paper.numbers.push_back(
      {"figure-3",
       "Fig. 3: milliseconds for E(s) on 10 x 10 ranks, blocks of 4 KiB; here "
       "and below\n75 us a message and 0.011 us a byte, one port a rank, no "
       "link shared:",
       table_of(by_sources, {"distribution", Align::left}, {"sources"}, {"time_ms", 1e-3, 3})});
  const LineChart by_length = figure_4();
  paper.numbers.push_back({"figure-4", "Fig. 4: milliseconds for Dr(30) on 10 x 10 ranks:",
                           table_of(by_length, {"distribution", Align::left},
                                    {"bytes", Align::right, "block_bytes"}, {"time_ms", 1e-3, 3})});
  paper.numbers.push_back({"figure-6", "Fig. 6: milliseconds for blocks of 2 KiB on 10 x 10 ranks:",
                           times_of_figure_6()});
  std::vector<Rank> counts;
  for (Rank s = 16; s <= 192; s += 16) counts.push_back(s);
  paper.numbers.push_back(
      {"figure-9",
       "Fig. 9: percent that Repos_xy_source gains over Br_xy_source on 16 x 16 ranks,\nblocks of "
       "6 KiB:",
       gains({"sources"}, counts, [](const char* letter, Rank s) {
         return Case{letter, s, 6144, "16x16"};
       })});
  const std::vector<Bytes> lengths{128, 256, 512, 1024, 2048, 4096, 8192, 16384};
  paper.numbers.push_back(
      {"figure-10", "Fig. 10: the same for 75 sources:",
       gains({"bytes", Align::right, "block_bytes"}, lengths, [](const char* letter, Bytes length) {
         return Case{letter, 75, length, "16x16"};
       })});
  paper.figures.push_back({"hambrusch1998-figure-3", by_sources});
  paper.figures.push_back({"hambrusch1998-figure-4", by_length});
  paper.claims = claims(by_sources, by_length);
  return paper;
}

}  // namespace shunt
