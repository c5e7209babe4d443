#include "tools/bench/grid_report.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "lab/statistics/regret.hpp"
#include "model/counted.hpp"
#include "model/median.hpp"
#include "planner/trials.hpp"
#include "tools/common/size_text.hpp"

namespace shunt {

namespace {

using bench::is_ratio;
using bench::Rounds;

constexpr std::size_t kWorstShown = 5;
constexpr std::size_t kFastestShown = 3;
constexpr const char* kAllForms = "all";

GridVerdict grid_verdict(const GridJob& job, const GridCell& cell) {
  Rounds automatic;
  std::vector<Rounds> others;
  std::vector<Rounds> natives;
  for (const GridWay& way : cell.ways) {
    if (way.algorithm == kAuto) {
      automatic = way.microseconds;
      continue;
    }
    // What has fewer rounds was too slow for more.
    if (way.microseconds.size() < rounds_of(cell)) continue;
    others.push_back(way.microseconds);
    if (is_native(way.algorithm)) natives.push_back(way.microseconds);
  }
  const Rounds& best = others[bench::fastest(others)];
  const Rounds& native = natives[bench::fastest(natives)];
  const double median = median_of(automatic);
  return {&job,
          &cell,
          median,
          bench::regret_of(automatic, others),
          bench::ratio_of(median, median_of(best)),
          bench::paired_ratio(native, automatic),
          bench::ratio_of(median_of(native), median)};
}

/// Nothing where it is no ratio.
Cell grid_ratio(double ratio) { return is_ratio(ratio) ? rounded(ratio, 3) : Cell(); }

std::vector<double> ratios_of(const std::vector<GridVerdict>& verdicts,
                              double GridVerdict::*value) {
  std::vector<double> ratios;
  for (const GridVerdict& verdict : verdicts) {
    if (is_ratio(verdict.*value)) ratios.push_back(verdict.*value);
  }
  return ratios;
}

/// Regrets are the worse the larger they are, ratios of MPI's own over ours the smaller.
bool is_worse(double GridVerdict::*value, double left, double right) {
  const bool regret = value == &GridVerdict::regret || value == &GridVerdict::plain_regret;
  return regret ? left > right : left < right;
}

/// The first that is worse than the others; null where none has that ratio.
const GridVerdict* worst_of(const std::vector<GridVerdict>& verdicts, double GridVerdict::*value) {
  const GridVerdict* worst = nullptr;
  for (const GridVerdict& verdict : verdicts) {
    if (!is_ratio(verdict.*value)) continue;
    if (worst == nullptr || is_worse(value, verdict.*value, worst->*value)) worst = &verdict;
  }
  return worst;
}

Cell mean_ratio(const std::vector<GridVerdict>& verdicts, double GridVerdict::*value) {
  return grid_ratio(bench::geometric_mean(ratios_of(verdicts, value)));
}

Cell worst_ratio(const std::vector<GridVerdict>& verdicts, double GridVerdict::*value) {
  const GridVerdict* worst = worst_of(verdicts, value);
  return worst == nullptr ? Cell() : grid_ratio(worst->*value);
}

/// What "auto" chose in how many rounds, in parentheses; or nothing.
std::string choice_text(const GridCell& cell) {
  const auto found = std::ranges::find(cell.ways, kAuto, &GridWay::algorithm);
  std::map<std::string, int> rounds;
  for (const std::string& name : found->chosen) ++rounds[name];
  std::string text;
  for (const auto& [name, count] : rounds) {
    text += text.empty() ? "" : ", ";
    text += rounds.size() == 1 ? name : fmt::format("{} {}x", name, count);
  }
  return text.empty() ? "" : fmt::format(" ({})", text);
}

/// "row-column 12.1, grid:3 13.4, native 15.0".
std::string fastest_text(const GridCell& cell) {
  std::vector<std::pair<double, std::string>> ways;
  for (const GridWay& way : cell.ways) {
    if (way.algorithm != kAuto) ways.emplace_back(median_of(way.microseconds), way.algorithm);
  }
  std::ranges::sort(ways);
  ways.resize(std::min(ways.size(), kFastestShown));
  std::string text;
  for (const auto& [median, name] : ways) {
    text += fmt::format("{}{} {:.1f}", text.empty() ? "" : ", ", name, median);
  }
  return text;
}

std::string load_text(Bytes load) { return size_text(static_cast<std::uint64_t>(load)); }

/// A row of its own in the table of groups.
auto group_of(const GridVerdict& verdict) {
  return std::tuple(verdict.job->where, verdict.job->ranks, verdict.cell->load, verdict.cell->form);
}

}  // namespace

GridReport::GridReport(const std::vector<GridJob>& jobs) : jobs_(jobs) {
  for (const GridJob& job : jobs) {
    one_place_ = one_place_ && job.where == jobs.front().where;
    for (const GridCell& cell : job.cells) {
      verdicts_.push_back(grid_verdict(job, cell));
      std::ranges::for_each(cell.ways, [this](const GridWay& way) { compare_with_model(way); });
      if (std::ranges::find(forms_, cell.form) == forms_.end()) forms_.push_back(cell.form);
    }
  }
}

void GridReport::compare_with_model(const GridWay& way) {
  if (!way.predicted) return;
  const double measured = median_of(way.microseconds) * 1e-6;
  error_.add(way.predicted->from_traffic, measured);
  bounds_error_.add(way.predicted->by_bounds, measured);
}

nlohmann::json GridReport::summary() const {
  nlohmann::json summary{{"ratios", totals().json()}};
  if (!error_.empty()) {
    summary["model_error"] = error_.json();
    summary["model_error_by_bounds"] = bounds_error_.json();
  }
  return summary;
}

std::string GridReport::text(bool every_cell) const {
  Bytes verified = 0;
  Bytes unverified = 0;
  Bytes wrong = 0;
  for (const GridJob& job : jobs_) {
    verified += job.exchanges - job.unverified;
    unverified += job.unverified;
    wrong += job.wrong_bytes;
  }
  std::string text = one_place_ && !jobs_.empty() ? jobs_.front().where + "\n" : "";
  text += groups().text();
  if (every_cell) text += "\n" + cells(verdicts_).text();
  text += "\nwhere auto lost most\n" + cells(most_regretted()).text();
  text += "\nover all cells\n" + totals().text();
  text +=
      "\nregret: time of auto over that of the fastest way, MPI's own included, which\n"
      "the other half of the rounds chose; plain: by the medians of all rounds\n"
      "time: of the slowest rank; where measured, the median of three runs in each turn\n";
  if (!error_.empty()) {
    text += fmt::format("the model is {}\nby bounds alone, {}\n", error_.words(),
                        bounds_error_.words());
  }
  text +=
      fmt::format("verified {}, {}\n", counted(verified, "exchange"), counted(wrong, "wrong byte"));
  if (unverified > 0) text += fmt::format("timed {} more, payloads not real\n", unverified);
  return text;
}

Table GridReport::groups() const {
  std::vector<Column> columns{
      {"ranks"},  {"a rank sends"}, {"form", Align::left}, {"cells"},
      {"regret"}, {"worst regret"}, {"native/ auto"},      {"worst native/ auto"}};
  if (!one_place_) columns.insert(columns.begin(), {"where", Align::left});
  Table table(columns);
  std::vector<decltype(group_of(verdicts_.front()))> known;
  for (const GridVerdict& first : verdicts_) {
    const auto group = group_of(first);
    if (std::ranges::find(known, group) != known.end()) continue;
    known.push_back(group);
    Verdicts members;
    std::ranges::copy_if(verdicts_, std::back_inserter(members),
                         [&](const GridVerdict& verdict) { return group_of(verdict) == group; });
    std::vector<Cell> row{first.job->ranks,
                          load_text(first.cell->load),
                          first.cell->form,
                          members.size(),
                          mean_ratio(members, &GridVerdict::regret),
                          worst_ratio(members, &GridVerdict::regret),
                          mean_ratio(members, &GridVerdict::native_ratio),
                          worst_ratio(members, &GridVerdict::native_ratio)};
    if (!one_place_) row.insert(row.begin(), first.job->where);
    table.add(std::move(row));
  }
  return table;
}

Table GridReport::cells(const Verdicts& verdicts) const {
  Table table({{"cell", Align::left},
               {"auto us", Align::left},
               {"regret"},
               {"plain"},
               {"native/ auto"},
               {"the fastest, us", Align::left}});
  for (const GridVerdict& verdict : verdicts) {
    table.add({name_of(verdict),
               fmt::format("{:.1f}{}", verdict.auto_us, choice_text(*verdict.cell)),
               grid_ratio(verdict.regret), grid_ratio(verdict.plain_regret),
               grid_ratio(verdict.native_ratio), fastest_text(*verdict.cell)});
  }
  return table;
}

GridReport::Verdicts GridReport::most_regretted() const {
  Verdicts worst;
  std::ranges::copy_if(verdicts_, std::back_inserter(worst), is_ratio, &GridVerdict::regret);
  std::ranges::stable_sort(worst, std::ranges::greater(), &GridVerdict::regret);
  worst.resize(std::min(worst.size(), kWorstShown));
  return worst;
}

Table GridReport::totals() const {
  Table table({{"ratio", Align::left},
               {"form", Align::left},
               {"cells"},
               {"geometric mean", Align::right, "geometric_mean"},
               {"worst"},
               {"in", Align::left}});
  std::vector<std::string> several;
  if (forms_.size() > 1) several = forms_;
  for (const std::string& form : several) {
    add_totals(table, "regret", form, &GridVerdict::regret);
    add_totals(table, "native/auto", form, &GridVerdict::native_ratio);
  }
  add_totals(table, "regret", kAllForms, &GridVerdict::regret);
  add_totals(table, "native/auto", kAllForms, &GridVerdict::native_ratio);
  add_totals(table, "plain regret", kAllForms, &GridVerdict::plain_regret);
  add_totals(table, "plain native/auto", kAllForms, &GridVerdict::plain_native_ratio);
  return table;
}

void GridReport::add_totals(Table& table, const char* ratio, const std::string& form,
                            double GridVerdict::*value) const {
  Verdicts members;
  std::ranges::copy_if(verdicts_, std::back_inserter(members), [&](const GridVerdict& verdict) {
    return form == kAllForms || verdict.cell->form == form;
  });
  const GridVerdict* worst = worst_of(members, value);
  table.add({ratio, form, ratios_of(members, value).size(), mean_ratio(members, value),
             worst_ratio(members, value), worst == nullptr ? Cell() : name_of(*worst)});
}

std::string GridReport::name_of(const GridVerdict& verdict) const {
  const std::string name =
      fmt::format("{} of {} on {}, {}", verdict.cell->pattern, load_text(verdict.cell->load),
                  counted(verdict.job->ranks, "rank"), verdict.cell->form);
  return one_place_ ? name : fmt::format("{}, {}", name, verdict.job->where);
}

}  // namespace shunt
