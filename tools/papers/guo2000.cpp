// Guo, Nakata, Yamashita: Contention-free communication scheduling for array redistribution, 2000.
// Its measurements, on processors that have one message in and one out at a time. That its
// schedules are right is proved by `shunt verify redistribution`, and its tables are those of
// `shunt explain --from .. --to ..`.
#include "tools/papers/guo2000.hpp"

#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace shunt {

using namespace guo2000;

namespace {

/// The figures' own numbers of processors are not in our copy. With beta = 6 there are 6 steps from
/// 6 processors on.
const std::vector<Rank> kPlaces3{4, 8, 16, 32, 64};
const std::vector<Rank> kPlaces6{8, 16, 32, 64};

LineChart figures_10_and_11() {
  return {"Guo 2000, Figs. 10 and 11: redistribution of 120000 elements of 4 bytes",
          "38 us a message, 0.043 us a byte; a processor has one message in and one out at a time",
          {"processors", Spacing::logarithmic, Unit::count},
          {"time", Spacing::logarithmic, Unit::seconds},
          {panel_of(3, kPlaces3, kT3d), panel_of(6, kPlaces6, kT3d)}};
}

/// Times over that with scheduling, on the T3D and where start-ups cost nothing.
Table ratio_table() {
  std::vector<Column> columns{{"from", Align::left},
                              {"start-up", Align::right, "start_up_us"},
                              {"P", Align::right, "ranks"}};
  for (const Sending& sending : kSendings) {
    if (sending.order == SendOrder::scheduled) continue;
    columns.push_back({sending.name, Align::right, "over_scheduled", "curve"});
  }
  Table table(columns);
  for (const LinkCost& cost : {kT3d, LinkCost{0, kT3d.per_byte, kT3d.copy}}) {
    for (const auto& [beta, places] : {std::pair{3, kPlaces3}, {6, kPlaces6}}) {
      const Panel panel = panel_of(beta, places, cost);
      for (std::size_t i = 0; i < places.size(); ++i) {
        std::vector<Cell> row{
            fmt::format("CYCLIC({})", 2 * beta),
            Cell(fmt::format("{:g} us", cost.start_up * 1e6), cost.start_up * 1e6), places[i]};
        for (std::size_t sending = 1; sending < panel.curves.size(); ++sending) {
          row.push_back(
              rounded(panel.curves[sending].points[i].y / panel.curves[0].points[i].y, 2));
        }
        table.add(std::move(row));
      }
    }
  }
  return table;
}

Table schedules_of_figure_3() {
  const std::vector<Rank> senders{1, 7, 15, 31, 63};
  std::vector<Column> columns{{"bytes"}};
  for (const Rank count : senders) {
    columns.push_back(
        {fmt::format("from {}", count), Align::right, fmt::format("from_{}_ms", count)});
  }
  Table table(columns);
  for (const Bytes bytes : {1024, 4096}) {
    std::vector<Cell> row{bytes};
    for (const Rank count : senders) row.push_back(rounded(seconds_to_one(count, bytes) * 1e3, 3));
    table.add(std::move(row));
  }
  return table;
}

}  // namespace

Reproduction reproduce_guo2000() {
  Reproduction paper;
  paper.paper = "Guo 2000: Contention-free communication scheduling for array redistribution";
  paper.numbers.push_back(
      {"figure-3",
       "Fig. 3: milliseconds until one processor has a message from each of n others.\n"
       "Here and below 38 us a message and 0.043 us a byte, as the T3D of Liu 2002 (the\n"
       "paper has no figures for CP-PACS), and a receiver takes one message at a time:",
       schedules_of_figure_3()});
  const LineChart figure = figures_10_and_11();
  paper.numbers.push_back(
      {"figures-10-and-11",
       "Figs. 10 and 11: milliseconds to redistribute 120000 elements of 4 bytes to\n"
       "CYCLIC(2) on P processors: K = 3 from CYCLIC(6); K = 6, for which the paper\n"
       "names no blocks, from CYCLIC(12). Messages leave by Algorithm 1 (scheduled),\n"
       "ascending as in Fig. 1, or staggered as in Fig. 4, and are taken as they come,\n"
       "or in the order of the receiver's loop; \"to all\" is Fig. 1, with empty messages:",
       table_of(figure, {"from", Align::left}, {"P", Align::right, "ranks"},
                {"time_ms", 1e-3, 3})});
  paper.numbers.push_back(
      {"ratios",
       "The same over the time with scheduling, and where start-ups cost nothing:", ratio_table()});
  paper.figures.push_back({"guo2000-figures-10-and-11", figure});
  paper.claims = claims();
  return paper;
}

}  // namespace shunt
