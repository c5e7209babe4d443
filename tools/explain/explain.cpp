// shunt explain: an algorithm's schedule drawn, and what it makes of a traffic; or an all-gather's
// stages; or who sends to whom when an array is dealt out anew.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "algorithms/alltoall/array_exchange.hpp"
#include "lab/schedules/unrevised_rows.hpp"
#include "model/counted.hpp"
#include "shunt/error.hpp"
#include "tools/common/array_text.hpp"
#include "tools/common/exchange_options.hpp"
#include "tools/common/node_table.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/page.hpp"
#include "tools/common/source_options.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/table.hpp"
#include "tools/explain/allgather_view.hpp"
#include "tools/explain/redistribution_options.hpp"
#include "tools/explain/schedule_table.hpp"
#include "tools/explain/schedule_view.hpp"
#include "tools/explain/traffic_effect.hpp"

namespace shunt {

namespace {

struct ExplainSettings {
  AlgorithmOptions exchange;
  std::optional<Rank> row;
  std::optional<Rank> column;
  std::optional<Rank> rank;
  std::optional<int> stage;  ///< 1-based, as shown
  bool unrevised = false;
  TrafficOptions traffic;
  SourceOptions sources;
  RedistributionOptions redistribution;
  bool json = false;
};

/// Stages that have the same table.
struct Drawing {
  std::vector<int> stages;
  ScheduleTable table;
};

class Explanation {
 public:
  explicit Explanation(const ExplainSettings& settings)
      : settings_(settings),
        machine_(settings.exchange.machine()),
        algorithm_(settings.exchange.make(machine_.get())),
        exchange_(dynamic_cast<const ArrayExchange*>(algorithm_.get())) {
    if (settings.stage && (*settings.stage < 1 || *settings.stage > algorithm_->stages())) {
      throw wrong_choice(fmt::format("there is no stage {}: {} has stages 1 to {}", *settings.stage,
                                     algorithm_->name(), algorithm_->stages()));
    }
  }

  void print() const {
    nlohmann::json document = {{"algorithm", algorithm_->name()},
                               {"ranks", algorithm_->ranks()},
                               {"stages", algorithm_->stages()},
                               {"start_ups", algorithm_->start_ups()}};
    std::string text = title();
    if (settings_.rank) {
      const Table table = rank_table();
      document["schedule"] = table.json();
      text += "\n" + table.text();
    } else if (settings_.row || settings_.column || settings_.traffic.traffic.empty()) {
      document["schedules"] = nlohmann::json::array();
      for (const Drawing& drawing : drawings()) {
        document["schedules"].push_back(json_of(drawing));
        text += "\n" + text_of(drawing);
      }
    }
    if (!settings_.traffic.traffic.empty()) add_traffic(document, text);
    if (settings_.json) {
      print_json({"shunt-explain"}, document);
    } else {
      fmt::print("{}", text);
    }
  }

 private:
  [[nodiscard]] std::string title() const {
    std::string text = fmt::format(
        "{} on {}{}: {}, {}\n", algorithm_->name(), counted(algorithm_->ranks(), "rank"),
        machine_ != nullptr ? fmt::format(" of {}", counted(machine_->nodes(), "node")) : "",
        counted(algorithm_->stages(), "stage"), counted(algorithm_->start_ups(), "start-up"));
    if (exchange_ != nullptr && exchange_->hierarchy().levels() > 1) {
      text += fmt::format("array of {}\n", array_text(top_array()));
    }
    return text;
  }

  [[nodiscard]] NodeArray top_array() const {
    if (exchange_ == nullptr) {
      throw wrong_choice(fmt::format("{} has no rows and columns; use --rank", algorithm_->name()));
    }
    return exchange_->hierarchy().top().array;
  }

  [[nodiscard]] ScheduleView view() const {
    if (settings_.row) return view_of_row(top_array(), *settings_.row);
    if (settings_.column) return view_of_column(top_array(), *settings_.column);
    return view_of_all(algorithm_->ranks());
  }

  /// The stage asked for; else, of a row, the stages along rows, of a column, the others.
  [[nodiscard]] bool shows(int stage) const {
    if (settings_.stage) return stage == *settings_.stage - 1;
    if (!settings_.row && !settings_.column) return true;
    const bool along_rows = stage % exchange_->hierarchy().levels() == 0;
    return along_rows == settings_.row.has_value();
  }

  [[nodiscard]] std::vector<Drawing> drawings() const {
    const ScheduleView view = this->view();
    std::vector<Drawing> drawings;
    for (int stage = 0; stage < algorithm_->stages(); ++stage) {
      if (!shows(stage)) continue;
      ScheduleTable table = settings_.unrevised ? unrevised(view, stage) : draw(view, stage);
      const auto same = std::ranges::find(drawings, table, &Drawing::table);
      if (same != drawings.end()) {
        same->stages.push_back(stage);
      } else {
        drawings.push_back({{stage}, std::move(table)});
      }
    }
    if (drawings.empty()) {
      throw wrong_choice(fmt::format("{} has no stage along columns", algorithm_->name()));
    }
    return drawings;
  }

  [[nodiscard]] ScheduleTable draw(const ScheduleView& view, int stage) const {
    return draw(view, stage, algorithm_->step_count(stage),
                [&](Rank rank) { return algorithm_->steps(stage, rank); });
  }

  /// What the row exchange would be without stalls.
  [[nodiscard]] ScheduleTable unrevised(const ScheduleView& view, int stage) const {
    const NodeArray array = top_array();
    if (stage % exchange_->hierarchy().levels() != 0) {
      throw wrong_choice("--unrevised shows a stage along rows, so it needs --row");
    }
    ScheduleTable table = draw(view, stage, array.columns(),
                               [&](Rank rank) { return unrevised_row_sends(array, rank); });
    table.mark_contention();
    return table;
  }

  /// The senders of the view, and after them the other ranks that send to one of these.
  template <class StepsOf>
  [[nodiscard]] ScheduleTable draw(const ScheduleView& view, int stage, int step_count,
                                   const StepsOf& steps_of) const {
    ScheduleTable table(step_count);
    std::vector<Rank> others;
    for (std::size_t i = 0; i < view.senders.size(); ++i) {
      table.add(view.senders[i], static_cast<Rank>(i), steps_of(view.senders[i]));
      for (const Step& step : algorithm_->steps(stage, view.senders[i])) {
        const bool known = std::ranges::binary_search(view.senders, step.from);
        if (step.from != kNoRank && !known) others.push_back(step.from);
      }
    }
    std::ranges::sort(others);
    others.erase(std::ranges::unique(others).begin(), others.end());
    for (const Rank rank : others) table.add(rank, kNoRank, steps_of(rank));
    return table;
  }

  [[nodiscard]] std::string text_of(const Drawing& drawing) const {
    std::vector<std::string> names;
    for (const int stage : drawing.stages) {
      names.push_back(fmt::format("stage {} ({})", stage + 1, algorithm_->stage_name(stage)));
    }
    std::string text = paragraph(fmt::format("{}", fmt::join(names, ", "))) + "\n";
    text.front() = 'S';
    const bool by_nodes = machine_ != nullptr && !settings_.row && !settings_.column;
    if (by_nodes) return text + node_table(*algorithm_, drawing.stages.front(), *machine_);
    return text + drawing.table.text(view().numbered);
  }

  [[nodiscard]] nlohmann::json json_of(const Drawing& drawing) const {
    nlohmann::json json = drawing.table.json();
    for (const int stage : drawing.stages) {
      json["stages"].push_back({{"stage", stage + 1}, {"name", algorithm_->stage_name(stage)}});
    }
    return json;
  }

  [[nodiscard]] Table rank_table() const {
    const Rank rank = *settings_.rank;
    if (rank < 0 || rank >= algorithm_->ranks()) {
      throw wrong_choice(
          fmt::format("there is no rank {}: the ranks are 0 to {}", rank, algorithm_->ranks() - 1));
    }
    Table table({{"stage"}, {"what", Align::left}, {"step"}, {"to"}, {"from"}});
    auto peer = [](Rank other) { return other == kNoRank ? Cell() : Cell(other); };
    for (int stage = 0; stage < algorithm_->stages(); ++stage) {
      if (!shows(stage)) continue;
      for (const Step& step : algorithm_->steps(stage, rank)) {
        table.add({stage + 1, algorithm_->stage_name(stage), step.number, peer(step.to),
                   peer(step.from)});
      }
    }
    return table;
  }

  void add_traffic(nlohmann::json& document, std::string& text) const {
    const auto traffic = settings_.traffic.make(algorithm_->ranks());
    const TrafficEffect effect = traffic_effect(*algorithm_, *traffic, settings_.traffic.element);
    document["traffic"] = effect.json();
    text += "\n" + effect.text();
  }

  const ExplainSettings& settings_;
  std::shared_ptr<const Machine> machine_;  ///< null if no nodes were asked for
  std::unique_ptr<Algorithm> algorithm_;
  const ArrayExchange* exchange_;  ///< null if the algorithm is none
};

template <class View>
void print(const View& view, const DocumentFormat& format, bool json) {
  if (json) {
    print_json(format, view.json());
  } else {
    fmt::print("{}", view.text());
  }
}

void explain(const ExplainSettings& settings) {
  if (settings.redistribution.given()) {
    print(settings.redistribution.view(), {"shunt-explain-redistribution"}, settings.json);
    return;
  }
  const auto allgather = settings.sources.allgather(settings.exchange);
  if (allgather == nullptr) {
    Explanation(settings).print();
    return;
  }
  print(AllgatherView(*allgather, settings.rank), {"shunt-explain-allgather"}, settings.json);
}

}  // namespace

void add_explain(Command app) {
  const Command command =
      app.add_subcommand("explain", "Draw a schedule; show what it does to a traffic");
  auto settings = std::make_shared<ExplainSettings>();
  settings->exchange.add_to(command);
  const Option row =
      command.add_option("--row", settings->row, "Show this row of the array, from 0");
  const Option column =
      command.add_option("--column", settings->column, "Show this column of the array, from 0");
  const Option rank =
      command.add_option("--rank", settings->rank, "Show what this rank sends and receives");
  row.excludes(column).excludes(rank);
  column.excludes(rank);
  const Option stage =
      command.add_option("--stage", settings->stage, "Show this stage only, from 1");
  command
      .add_flag("--unrevised", settings->unrevised,
                "Show the row without stalls;\ncontended receivers are marked by *")
      .needs(row);
  settings->traffic.add_to(command);
  settings->sources.add_to(command)
      .needs(command.option("--algorithm"))
      .excludes(row)
      .excludes(column)
      .excludes(stage)
      .excludes(command.option("--traffic"));
  const Option from = settings->redistribution.add_to(command);
  for (const char* other :
       {"--algorithm", "--row", "--column", "--rank", "--stage", "--traffic", "--sources"}) {
    from.excludes(command.option(other));
  }
  command.add_flag("--json", settings->json, "Print JSON");
  command.set_action([settings] { explain(*settings); });
}

}  // namespace shunt
