#include "tools/papers/reproduction.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace shunt {

namespace {

Table table_of(const std::vector<Claim>& claims) {
  Table table(Claim::columns());
  for (const Claim& claim : claims) table.add(claim.cells());
  return table;
}

}  // namespace

void Claim::try_case(const std::string& name, bool holds, double published, double found) {
  ++cases_;
  if (holds) {
    ++holding_;
  } else if (exception_.empty()) {
    exception_ = fmt::format("{}: {:.6g}, not {:.6g}", name, found, published);
  }
}

std::string Claim::verdict() const {
  if (holding_ == cases_) return "holds";
  return holding_ > 0 ? "not always" : "fails";
}

std::vector<Column> Claim::columns() {
  return {{"where", Align::left},
          {"claim", Align::left},
          {"cases"},
          {"hold", Align::right, "cases_that_hold"},
          {"verdict", Align::left},
          {"first exception", Align::left}};
}

std::vector<Cell> Claim::cells() const {
  return {place_, sentence_, cases_, holding_, verdict(), exception_};
}

std::string Reproduction::text() const {
  std::string text = paper + "\n";
  for (const Numbers& part : numbers) {
    text += fmt::format("\n{}\n\n{}", part.caption, part.table.text());
  }
  text += "\nThe claims, counted from the schedules and computed from the formulas:\n\n" +
          table_of(claims).text();
  if (!simulated.empty()) {
    text += "\nThe claims on times, as simulated:\n\n" + table_of(simulated).text();
  }
  if (!left_out.empty()) text += "\n" + left_out + "\n";
  return text;
}

nlohmann::json Reproduction::json() const {
  nlohmann::json document = {{"paper", paper}};
  for (const Numbers& part : numbers) {
    document["tables"].push_back({{"name", part.name}, {"rows", part.table.json()}});
  }
  document["claims"] = table_of(claims).json();
  if (!simulated.empty()) document["simulated_claims"] = table_of(simulated).json();
  if (!left_out.empty()) document["left_out"] = left_out;
  return document;
}

Table table_of(const LineChart& chart, const Column& panels, const Column& x, const Quantity& y) {
  std::vector<Column> columns{panels, x};
  for (const Curve& curve : chart.panels.front().curves) {
    columns.push_back({curve.name, Align::right, y.key, "curve"});
  }
  Table table(columns);
  for (const Panel& panel : chart.panels) {
    for (std::size_t i = 0; i < panel.curves.front().points.size(); ++i) {
      std::vector<Cell> row{panel.title, rounded(panel.curves.front().points[i].x, 0)};
      for (const Curve& curve : panel.curves)
        row.push_back(rounded(curve.points[i].y / y.unit, y.decimals));
      table.add(std::move(row));
    }
  }
  return table;
}

const Curve& curve_of(const Panel& panel, const std::string& name) {
  return *std::ranges::find(panel.curves, name, &Curve::name);
}

void try_ahead(Claim& claim, const Panel& panel, const std::string& winner,
               const std::string& other) {
  const std::vector<Point>& ours = curve_of(panel, winner).points;
  const std::vector<Point>& theirs = curve_of(panel, other).points;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    claim.try_case(fmt::format("{}, {}, ms", panel.title, ours[i].x), ours[i].y < theirs[i].y,
                   theirs[i].y * 1e3, ours[i].y * 1e3);
  }
}

}  // namespace shunt
