#include "tools/trace/replay_report.hpp"

#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "model/counted.hpp"
#include "tools/common/output_file.hpp"
#include "tools/session/bench_common.hpp"
#include "tools/trace/trace_table.hpp"

namespace shunt {

namespace {

/// None where nothing took any time, as it may in a simulation.
Cell ratio(double value) { return std::isfinite(value) ? rounded(value, 2) : Cell(); }

/// In one table, or where there are all-gathers in one for each kind.
void print_totals(const ReplayTotals& exchanges, const ReplayTotals& allgathers) {
  fmt::print("all {}; recorded: {:.6f} s\n",
             counted(exchanges.calls() + allgathers.calls(), "call"),
             exchanges.recorded() + allgathers.recorded());
  if (allgathers.calls() == 0) fmt::print("{}", exchanges.table().text());
  for (const auto& [what, totals] :
       {std::pair{"exchanges", &exchanges}, std::pair{"all-gathers", &allgathers}}) {
    if (allgathers.calls() == 0 || totals->calls() == 0) continue;
    fmt::print("\n{}: {}; recorded: {:.6f} s\n{}", what, totals->calls(), totals->recorded(),
               totals->table().text());
  }
  fmt::print("\n");
}

/// A line for each matrix and contestant. What is said of the matrix is shown once.
Table replay_table(TraceFile& file, const bench::Replay& replay) {
  Table table({{"matrix"},
               {"calls"},
               {"bytes"},
               {"recorded us"},
               {"algorithm", Align::left},
               {"form", Align::left},
               {"median us"},
               {"native/this", Align::right, "native_over_this"}});
  const std::vector<MatrixUse> uses = uses_of(file.head(), file.matrices());
  for (std::size_t k = 0; k < uses.size(); ++k) {
    const Bytes bytes = shape_of(file, k).bytes;
    const double recorded = uses[k].seconds * 1e6 / static_cast<double>(uses[k].calls);
    std::vector<Cell> matrix{k, uses[k].calls, bytes, recorded > 0 ? rounded(recorded, 1) : Cell()};
    for (const bench::Result& result : replay.results[k]) {
      std::vector<Cell> row = matrix;
      for (const Cell& cell : {Cell(result.algorithm), Cell(result.form), rounded(result.median, 1),
                               ratio(result.native_ratio)}) {
        row.push_back(cell);
      }
      table.add(row);
      for (Cell& cell : matrix) cell.text.clear();
    }
  }
  return table;
}

}  // namespace

void ReplayTotals::add(const std::vector<bench::Result>& results, const MatrixUse& use) {
  calls_ += use.calls;
  recorded_ += use.seconds;
  if (results.empty()) return;
  if (seconds_.empty()) seconds_.resize(results.size(), 0);
  contestants_ = results;
  for (std::size_t i = 0; i < results.size(); ++i) {
    seconds_[i] += results[i].median * 1e-6 * static_cast<double>(use.calls);
  }
}

Table ReplayTotals::table() const {
  Table table({{"algorithm", Align::left},
               {"form", Align::left},
               {"seconds"},
               {"native/this", Align::right, "native_over_this"}});
  for (std::size_t i = 0; i < seconds_.size(); ++i) {
    table.add({contestants_[i].algorithm, contestants_[i].form, rounded(seconds_[i], 6),
               ratio(seconds_[0] / seconds_[i])});
  }
  return table;
}

void ReplayReport::add(const std::string& path, TraceFile& file, const bench::Replay& replay) {
  const std::vector<MatrixUse> uses = uses_of(file.head(), file.matrices());
  for (std::size_t k = 0; k < uses.size(); ++k) {
    ReplayTotals& kind = file.head().allgathers.contains(k) ? allgathers_ : exchanges_;
    kind.add(replay.results[k], uses[k]);
  }
  runs_ += replay.exchanges;
  wrong_ += replay.wrong_bytes;
  verified_ = verified_ && replay.verified;
  const Table table = replay_table(file, replay);
  if (terms_.json) {
    traces_.push_back(head_json(path, file));
    traces_.back()["matrices"] = table.json();
  } else {
    fmt::print("{}{}\n", headline(path, file), table.text());
    show_output();
  }
}

void ReplayReport::finish() const {
  if (terms_.json) {
    print_json({"shunt-replay"}, json());
    return;
  }
  print_totals(exchanges_, allgathers_);
  if (terms_.machine.empty()) {
    fmt::print("{}       of all calls that of the seconds\nmode: {}\n",
               timing_legend(terms_.rounds), terms_.mode);
  } else {
    fmt::print("time: the slowest rank, simulated on {}; mode {}\n", terms_.machine, terms_.mode);
  }
  if (verified_) {
    fmt::print("verified {}, {}\n", counted(runs_, "exchange"), counted(wrong_, "wrong byte"));
  } else {
    fmt::print("timed {}, not all payloads real\n", counted(runs_, "exchange"));
  }
}

nlohmann::json ReplayReport::json() const {
  nlohmann::json report{{"traces", traces_},
                        {"mode", terms_.mode},
                        {"total", exchanges_.table().json()},
                        {"total_of_allgathers", allgathers_.table().json()},
                        {"exchanges", runs_},
                        {"verified", verified_},
                        {"wrong_bytes", wrong_}};
  if (terms_.machine.empty()) {
    report["rounds"] = terms_.rounds;
  } else {
    report["machine"] = terms_.machine;
  }
  return report;
}

}  // namespace shunt
