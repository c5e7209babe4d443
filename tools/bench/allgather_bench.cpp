// shunt bench allgather: all-gathers from many sources beside the MPI library's own MPI_Allgatherv.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "algorithms/parameters.hpp"
#include "lab/bench/allgather_contest.hpp"
#include "lab/traffic/source_patterns.hpp"
#include "model/counted.hpp"
#include "tools/bench/bench_means.hpp"
#include "tools/bench/bench_pace.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/page.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/launch/launch.hpp"
#include "tools/session/bench_common.hpp"

namespace shunt {

namespace {

struct AllgatherBenchSettings {
  int launch = 0;
  std::vector<std::string> distributions{"equal", "square-block", "random"};
  std::vector<std::string> sources;  ///< empty: kUsualSources
  std::vector<Bytes> lengths{64, 4096, 262144};
  std::uint64_t seed = 1;
  std::vector<std::string> algorithms{"auto"};
  std::vector<std::string> modes{"dual"};
  std::vector<std::string> forms{"plan", "one-shot"};
  BenchPace pace;
  bool json = false;
};

const std::vector<std::string> kUsualSources{"1", "4", "sqrt", "half", "all"};

Rank count_named(const std::string& word, Rank ranks) {
  if (word == "all") return ranks;
  if (word == "half") return std::max(ranks / 2, 1);
  if (word == "sqrt") return static_cast<Rank>(std::lround(std::sqrt(ranks)));
  return positive_number(word, "number of sources");
}

/// How many sources to try, ascending: those asked for, or the usual ones of which there are as
/// many ranks.
std::vector<Rank> counts_of(const AllgatherBenchSettings& settings, Rank ranks) {
  const bool usual = settings.sources.empty();
  std::vector<Rank> counts;
  for (const std::string& word : usual ? kUsualSources : settings.sources) {
    const Rank count = count_named(word, ranks);
    if (!usual || count <= ranks) counts.push_back(count);
  }
  std::ranges::sort(counts);
  counts.erase(std::ranges::unique(counts).begin(), counts.end());
  return counts;
}

Sources sources_of(const AllgatherBenchSettings& settings, const std::string& distribution,
                   Rank ranks, Rank count, Bytes length) {
  const SourceShape shape{
      .array = Extents::nearly_square(ranks, 1), .count = count, .seed = settings.seed};
  return with_equal_blocks(ranks, place_sources(distribution, shape), length);
}

/// Throws Error(argument) where a distribution, a number of sources or an all-gather cannot be had
/// on that many ranks.
void check_settings(const AllgatherBenchSettings& settings, Rank ranks) {
  for (const std::string& distribution : settings.distributions) {
    for (const Rank count : counts_of(settings, ranks)) {
      (void)sources_of(settings, distribution, ranks, count, 1);
    }
  }
  for (const std::string& name : settings.algorithms) check_allgather(name, ranks);
}

/// The contests of one distribution and length, a row for each contestant.
Table contest_table() {
  return Table({{"sources"},
                {"algorithm", Align::left},
                {"mode", Align::left},
                {"form", Align::left},
                {"median us"},
                {"least", Align::right, "least_us"},
                {"most", Align::right, "most_us"},
                {"native/ this", Align::right, "native_over_this"}});
}

void add_rows(Table& table, Rank count, const std::vector<bench::Result>& results) {
  for (const bench::Result& result : results) {
    table.add({count, result.algorithm, result.mode, result.form, rounded(result.median, 1),
               rounded(result.least, 1), rounded(result.most, 1), rounded(result.native_ratio, 2)});
  }
}

class AllgatherBench {
 public:
  explicit AllgatherBench(const AllgatherBenchSettings& settings) : settings_(settings) {
    check_settings(settings, mpi_.ranks());
    options_.algorithms = settings.algorithms;
    options_.modes = modes_named(settings.modes);
    set_forms(options_, settings.forms);
    settings.pace.apply_to(options_);
  }

  void run() {
    for (const std::string& distribution : settings_.distributions) {
      for (const Bytes length : settings_.lengths) run(distribution, length);
    }
    if (mpi_.reports()) print_end();
    if (wrong_ > 0) throw FoundWrong();
  }

 private:
  void run(const std::string& distribution, Bytes length) {
    Table table = contest_table();
    for (const Rank count : counts_of(settings_, mpi_.ranks())) {
      const Sources sources = sources_of(settings_, distribution, mpi_.ranks(), count, length);
      bench::AllgatherContest contest(MPI_COMM_WORLD, sources, options_);
      const std::vector<bench::Result> results = contest.run();
      exchanges_ += contest.exchanges();
      wrong_ += contest.wrong_bytes();
      means_.add(results, fmt::format("{}:{} of {} B", distribution, count, length));
      add_rows(table, count, results);
      report_.push_back({{"distribution", distribution},
                         {"ranks", mpi_.ranks()},
                         {"sources", count},
                         {"block_bytes", length},
                         {"results", results_table(results, "native").json()}});
      settings_.pace.write_to(report_.back());
    }
    if (!mpi_.reports() || settings_.json) return;
    fmt::print("{}{}\n",
               paragraph(fmt::format("{} on {}, blocks of {}", distribution,
                                     counted(mpi_.ranks(), "rank"), counted(length, "byte"))),
               table.text());
    show_output();
  }

  void print_end() const {
    if (settings_.json) {
      print_json({"shunt-bench-allgather"}, {{"contests", report_}});
      return;
    }
    fmt::print("over all {}\n{}\n", counted(means_.contests(), "all-gather"),
               means_.table().text());
    fmt::print("{}verified {}, {}\n{}", settings_.pace.legend(), counted(exchanges_, "exchange"),
               counted(wrong_, "wrong byte"), wisdom_line());
  }

  const MpiSession mpi_;
  const AllgatherBenchSettings& settings_;
  bench::ContestOptions options_;
  BenchMeans means_;
  nlohmann::json report_ = nlohmann::json::array();
  Bytes exchanges_ = 0;
  Bytes wrong_ = 0;
};

void add_options(Command command, AllgatherBenchSettings& settings) {
  command
      .add_option("-n,--ranks", settings.launch,
                  "Start this many ranks;\nnot needed under mpirun or srun")
      .between(1, 1 << 20);
  command
      .add_option("--distribution", settings.distributions,
                  "Where the sources are, as `shunt explain\n--sources` names it; the array is "
                  "nearly square")
      .shows_default();
  command.add_option("--sources", settings.sources,
                     "How many: numbers, sqrt (of the ranks), half,\nall (default: 1 4 sqrt half "
                     "all, as far as there\nare so many ranks)");
  command.add_option("--length", settings.lengths, "Bytes of the block of a source")
      .shows_default()
      .between(1, Bytes{1} << 40);
  command.add_option("--seed", settings.seed, "Of sources at random").shows_default();
  command
      .add_option("--algorithm", settings.algorithms,
                  "As `shunt algorithms --allgather` lists them;\nauto, native")
      .shows_default()
      .names_algorithms();
  command.add_option("--mode", settings.modes, "Only these")
      .shows_default()
      .one_of({"blocking", "single", "dual"});
  command.add_option("--form", settings.forms, "Only these")
      .shows_default()
      .one_of({"plan", "one-shot"});
  settings.pace.add_to(command, "All-gathers");
  command.add_flag("--json", settings.json, "Print JSON");
}

}  // namespace

void add_allgather_bench(Command bench) {
  auto settings = std::make_shared<AllgatherBenchSettings>();
  const Command command = bench.add_subcommand(
      "allgather", "Time all-gathers from many sources, in turn with MPI_Allgatherv");
  add_options(command, *settings);
  command.set_action([settings] {
    if (!launched_as_rank()) {
      // What is wrong is said once, here, and not by every rank.
      check_settings(*settings, std::max(settings->launch, 1));
      if (settings->launch > 0) launch_ranks(settings->launch);
    }
    AllgatherBench(*settings).run();
  });
}

}  // namespace shunt
