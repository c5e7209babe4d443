// shunt replay: the exchanges and broadcasts of a recorded program, by MPI and by Shunt.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bench_common.hpp"
#include "launch.hpp"
#include "model/trace_use.hpp"
#include "shunt/error.hpp"
#include "subcommands.hpp"
#include "table.hpp"
#include "trace_replay.hpp"
#include "trace_table.hpp"

namespace shunt {

namespace {

struct Settings {
  std::string path;
  int launch = 0;
  std::vector<std::string> algorithms{"auto"};
  std::vector<std::string> broadcasts{"auto"};
  std::string mode = "dual";
  std::vector<std::string> forms{"plan", "one-shot"};
  Bytes grain = 512;
  int rounds = 20;
  bool json = false;
};

bench::ContestOptions contest_options(const Settings& settings,
                                      const std::vector<std::string>& algorithms) {
  bench::ContestOptions options;
  options.algorithms = algorithms;
  options.modes = modes_named({settings.mode});
  set_forms(options, settings.forms);
  options.grain = settings.grain;
  options.rounds = settings.rounds;
  return options;
}

/// All calls together of exchanges, or of broadcasts, by contestant.
class Totals {
 public:
  void add(const std::vector<bench::Result>& results, const MatrixUse& use) {
    calls_ += use.calls;
    recorded_ += use.seconds;
    if (results.empty()) return;
    if (seconds_.empty()) seconds_.resize(results.size(), 0);
    contestants_ = results;
    for (std::size_t i = 0; i < results.size(); ++i) {
      seconds_[i] += results[i].median * 1e-6 * static_cast<double>(use.calls);
    }
  }

  [[nodiscard]] std::int64_t calls() const { return calls_; }
  [[nodiscard]] double recorded() const { return recorded_; }

  [[nodiscard]] Table table() const {
    Table table({{"algorithm", Align::left}, {"form", Align::left}, {"seconds"}, {"native/this"}});
    for (std::size_t i = 0; i < seconds_.size(); ++i) {
      table.add({contestants_[i].algorithm, contestants_[i].form, rounded(seconds_[i], 6),
                 rounded(seconds_[0] / seconds_[i], 2)});
    }
    return table;
  }

 private:
  std::vector<bench::Result> contestants_;
  std::vector<double> seconds_;
  std::int64_t calls_ = 0;
  double recorded_ = 0;
};

/// In one table, or where there are broadcasts in one for each kind.
void print_totals(const Totals& exchanges, const Totals& broadcasts) {
  fmt::print("all {} calls; recorded: {:.6f} s\n", exchanges.calls() + broadcasts.calls(),
             exchanges.recorded() + broadcasts.recorded());
  if (broadcasts.calls() == 0) fmt::print("{}", exchanges.table().text());
  for (const auto& [what, totals] :
       {std::pair{"exchanges", &exchanges}, std::pair{"broadcasts", &broadcasts}}) {
    if (broadcasts.calls() == 0 || totals->calls() == 0) continue;
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
               {"native/this"}});
  const std::vector<MatrixUse> uses = uses_of(file.head(), file.matrices());
  for (std::size_t k = 0; k < uses.size(); ++k) {
    const Bytes bytes = shape_of(file, k).bytes;
    const double recorded = uses[k].seconds * 1e6 / static_cast<double>(uses[k].calls);
    std::vector<Cell> matrix{k, uses[k].calls, bytes, recorded > 0 ? rounded(recorded, 1) : Cell()};
    for (const bench::Result& result : replay.results[k]) {
      std::vector<Cell> row = matrix;
      for (const Cell& cell : {Cell(result.algorithm), Cell(result.form), rounded(result.median, 1),
                               rounded(result.native_ratio, 2)}) {
        row.push_back(cell);
      }
      table.add(row);
      for (Cell& cell : matrix) cell.text.clear();
    }
  }
  return table;
}

/// The most that any of them has.
Rank ranks_of(const std::vector<std::string>& paths) {
  Rank ranks = 1;
  for (const std::string& path : paths) ranks = std::max(ranks, TraceFile(path).head().ranks);
  return ranks;
}

void check_ranks(int given, Rank needed, const std::string& path) {
  if (given == needed) return;
  throw Error(ErrorKind::argument,
              fmt::format("{} has {} ranks, but there are {} to replay it; leave out "
                          "-n, or start as many",
                          path, needed, given));
}

void run_replay(const Settings& settings, const std::vector<std::string>& paths, Rank ranks) {
  const MpiSession mpi;
  // Rank 0 says why; a launcher would end it at once if another one failed.
  if (!mpi.reports() && mpi.ranks() != ranks) return;
  check_ranks(mpi.ranks(), ranks, settings.path);
  const bench::ContestOptions options = contest_options(settings, settings.algorithms);
  const bench::ContestOptions of_broadcasts = contest_options(settings, settings.broadcasts);
  nlohmann::json traces = nlohmann::json::array();
  Totals totals;
  Totals broadcast_totals;
  Bytes exchanges = 0;
  Bytes wrong = 0;
  for (const std::string& path : paths) {
    TraceFile file(path);
    const bench::Replay replay = bench::replay(file, options, of_broadcasts);
    exchanges += replay.exchanges;
    wrong += replay.wrong_bytes;
    if (!mpi.reports()) continue;
    const std::vector<MatrixUse> uses = uses_of(file.head(), file.matrices());
    for (std::size_t k = 0; k < uses.size(); ++k) {
      Totals& kind = file.head().broadcasts.contains(k) ? broadcast_totals : totals;
      kind.add(replay.results[k], uses[k]);
    }
    const Table table = replay_table(file, replay);
    if (settings.json) {
      traces.push_back(head_json(path, file));
      traces.back()["matrices"] = table.json();
    } else {
      fmt::print("{}{}\n", headline(path, file), table.text());
      std::fflush(stdout);
    }
  }
  if (mpi.reports() && settings.json) {
    const nlohmann::json report{{"traces", traces},
                                {"mode", settings.mode},
                                {"rounds", settings.rounds},
                                {"total", totals.table().json()},
                                {"total_of_broadcasts", broadcast_totals.table().json()},
                                {"exchanges", exchanges},
                                {"wrong_bytes", wrong}};
    fmt::print("{}\n", report.dump(2));
  } else if (mpi.reports()) {
    print_totals(totals, broadcast_totals);
    fmt::print("time: the slowest rank of each round; median of {} rounds, interleaved; mode {}\n",
               settings.rounds, settings.mode);
    fmt::print("verified {} exchanges, {} wrong bytes\n", exchanges, wrong);
  }
  if (wrong > 0) throw CLI::RuntimeError(1);
}

void start(const Settings& settings) {
  // What is wrong is said once, here, and not by every rank.
  const std::vector<std::string> paths = trace_paths(settings.path);
  const Rank ranks = ranks_of(paths);
  for (const std::string& path : paths) {
    const Rank some = TraceFile(path).head().ranks;
    for (const std::string& name : settings.algorithms) {
      check_algorithm(name, some, settings.grain);
    }
    for (const std::string& name : settings.broadcasts) check_broadcast(name, some);
  }
  if (!launched_as_rank()) {
    if (settings.launch > 0) check_ranks(settings.launch, ranks, settings.path);
    launch_ranks(ranks);
  }
  run_replay(settings, paths, ranks);
}

}  // namespace

void add_replay(CLI::App& app) {
  auto settings = std::make_shared<Settings>();
  CLI::App* command = app.add_subcommand("replay",
                                         "Make the exchanges and broadcasts of a recorded program "
                                         "again,\nby MPI and by Shunt in turn");
  command->add_option("trace", settings->path, "A trace (.shunt), or a folder of traces")
      ->required();
  command
      ->add_option("-n,--ranks", settings->launch,
                   "Start this many ranks: as many as the trace\nhas, as without this option")
      ->check(CLI::Range(1, 1 << 20));
  command->add_option("--algorithm", settings->algorithms, "Beside MPI's own")
      ->capture_default_str();
  command->add_option("--broadcast", settings->broadcasts, "The same for broadcasts")
      ->capture_default_str();
  command->add_option("--mode", settings->mode, "How messages are posted")
      ->capture_default_str()
      ->check(CLI::IsMember({"blocking", "single", "dual"}));
  command->add_option("--form", settings->forms, "Only these")
      ->capture_default_str()
      ->check(CLI::IsMember({"plan", "one-shot"}));
  command->add_option("--grain", settings->grain, "Bytes below which a block is never cut")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--rounds", settings->rounds, "Exchanges of each kind, for each matrix")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  command->add_flag("--json", settings->json, "Print JSON");
  command->callback([settings] { start(*settings); });
}

}  // namespace shunt
