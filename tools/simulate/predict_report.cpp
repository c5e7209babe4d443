#include "tools/simulate/predict_report.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "lab/traffic/patterns.hpp"
#include "model/counted.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/page.hpp"
#include "tools/common/table.hpp"

namespace shunt {

namespace {

Table table_of(std::vector<PredictedWay> candidates, bool measured) {
  std::ranges::stable_sort(candidates, {}, [](const PredictedWay& candidate) {
    return candidate.predicted.from_traffic;
  });
  std::vector<Column> columns{{"algorithm", Align::left},
                              {"form", Align::left},
                              {"predicted us"},
                              {"by bounds", Align::right, "by_bounds_us"}};
  if (measured) {
    columns.push_back({"measured us"});
    columns.push_back({"predicted/measured", Align::right, "predicted_over_measured"});
  }
  Table table(std::move(columns));
  for (const PredictedWay& candidate : candidates) {
    const double predicted = candidate.predicted.from_traffic;
    std::vector<Cell> row{candidate.algorithm, candidate.form, rounded(predicted * 1e6, 1),
                          rounded(candidate.predicted.by_bounds * 1e6, 1)};
    if (measured) {
      row.push_back(rounded(*candidate.measured * 1e6, 1));
      row.push_back(rounded(predicted / *candidate.measured, 2));
    }
    table.add(std::move(row));
  }
  return table;
}

}  // namespace

PredictReport::PredictReport(const Settings& settings, std::string source)
    : settings_(settings), source_(std::move(source)) {
  if (!settings.json) fmt::print("{}\n", paragraph(source_));
}

void PredictReport::add(const Traffic& traffic, const TrafficShape& shape,
                        const std::vector<PredictedWay>& candidates) {
  if (measured()) {
    for (const PredictedWay& candidate : candidates) {
      error_.add(candidate.predicted.from_traffic, *candidate.measured);
      bounds_error_.add(candidate.predicted.by_bounds, *candidate.measured);
    }
  }
  const Table table = table_of(candidates, measured());
  if (settings_.json) {
    traffics_.push_back({{"pattern", traffic.name()},
                         {"ranks", traffic.ranks()},
                         {"maximum_elements", shape.maximum},
                         {"element_bytes", settings_.element},
                         {"candidates", table.json()}});
    return;
  }
  const std::string title = fmt::format(
      "{} on {}, blocks up to {} of {}", traffic.name(), counted(traffic.ranks(), "rank"),
      counted(shape.maximum, "element"), counted(settings_.element, "byte"));
  fmt::print("{}{}\n", paragraph(title), table.text());
  show_output();
}

void PredictReport::finish() const {
  if (settings_.json) {
    nlohmann::json report{{"constants", source_}, {"traffics", traffics_}};
    if (measured()) {
      report["error"] = error_.json();
      report["error_by_bounds"] = bounds_error_.json();
    }
    print_json({"shunt-predict"}, report);
  } else if (measured()) {
    fmt::print("measured: the slowest rank of each round; median of {}, interleaved\n",
               counted(settings_.rounds, "round"));
    fmt::print("the model is {}\nby bounds alone, {}\n", error_.words(), bounds_error_.words());
  }
}

}  // namespace shunt
