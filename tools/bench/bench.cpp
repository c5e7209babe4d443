// shunt bench: every algorithm, mode and form beside the MPI library's own MPI_Alltoallv.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include "algorithms/registry.hpp"
#include "lab/bench/alltoallv_contest.hpp"
#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic_file.hpp"
#include "model/counted.hpp"
#include "tools/bench/bench_means.hpp"
#include "tools/bench/bench_pace.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/page.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/table.hpp"
#include "tools/launch/launch.hpp"
#include "tools/session/bench_common.hpp"

namespace shunt {

namespace {

struct BenchSettings {
  int launch = 0;
  std::vector<std::string> patterns{"uniform", "pattern1", "pattern2"};
  std::vector<Bytes> maxima{1024};
  std::vector<Bytes> loads;
  Bytes background = 1;
  int element = 8;
  std::uint64_t seed = 1;
  std::vector<std::string> algorithms;
  std::vector<std::string> modes{"blocking", "single", "dual"};
  std::vector<std::string> forms{"plan", "one-shot"};
  Bytes grain = 512;
  Bytes packet = 0;
  BenchPace pace;
  bool json = false;
};

bench::ContestOptions contest_options(const BenchSettings& settings, int ranks) {
  bench::ContestOptions options;
  options.algorithms = settings.algorithms;
  if (options.algorithms.empty()) {
    options.algorithms.emplace_back("auto");
    for (const std::string& name : algorithm_names(ranks)) {
      // Whose traffic is restricted, and what differs from another name on no number of ranks.
      if (!name.starts_with("groups") && name != "row-column-square")
        options.algorithms.push_back(name);
    }
  }
  options.modes = modes_named(settings.modes);
  set_forms(options, settings.forms);
  options.grain = settings.grain;
  options.packet = settings.packet;
  settings.pace.apply_to(options);
  return options;
}

/// Throws Error(argument) where a pattern or an algorithm cannot be had on that many ranks.
void check_settings(const BenchSettings& settings, Rank ranks) {
  for (const std::string& pattern : settings.patterns) {
    (void)make_traffic(pattern, {ranks, 1, 1, 1});
  }
  for (const std::string& name : settings.algorithms) {
    check_configuration(name, ranks, settings.grain);
  }
}

/// The traffics of one pattern that are asked for. A file's is what it is, under any load.
std::vector<TrafficShape> shapes_of(const std::string& pattern, const BenchSettings& settings,
                                    Rank ranks) {
  std::vector<TrafficShape> shapes;
  for (const Bytes maximum : sizes_for(pattern, settings.maxima)) {
    shapes.push_back({ranks, maximum, settings.background, settings.seed});
  }
  if (settings.loads.empty() || is_traffic_file(pattern)) return shapes;
  const TrafficShape shape = shapes.front();
  shapes.clear();
  for (const Bytes load : settings.loads) {
    shapes.push_back(shape);
    shapes.back().maximum = maximum_within(load, pattern, shape, settings.element);
  }
  return shapes;
}

void run_bench(const BenchSettings& settings) {
  const MpiSession mpi;
  check_settings(settings, mpi.ranks());
  const bench::ContestOptions options = contest_options(settings, mpi.ranks());
  nlohmann::json report = nlohmann::json::array();
  BenchMeans means;
  Bytes exchanges = 0;
  Bytes wrong = 0;
  for (const std::string& pattern : settings.patterns) {
    for (const TrafficShape& shape : shapes_of(pattern, settings, mpi.ranks())) {
      const auto traffic = make_traffic(pattern, shape);
      bench::AlltoallvContest contest(MPI_COMM_WORLD, *traffic, settings.element, options);
      const std::vector<bench::Result> results = contest.run();
      exchanges += contest.exchanges();
      wrong += contest.wrong_bytes();
      const Bytes largest = contest.largest_send();
      const Bytes maximum = maximum_of(*traffic, shape);
      means.add(results);
      if (!mpi.reports()) continue;
      const Table table = results_table(results, "native");
      if (settings.json) {
        report.push_back({{"pattern", pattern},
                          {"ranks", mpi.ranks()},
                          {"maximum_elements", maximum},
                          {"element_bytes", settings.element},
                          {"largest_send_bytes", largest},
                          {"results", table.json()}});
        settings.pace.write_to(report.back());
      } else {
        const std::string title =
            fmt::format("{} on {}, blocks up to {} of {}, at most {} a rank", pattern,
                        counted(mpi.ranks(), "rank"), counted(maximum, "element"),
                        counted(settings.element, "byte"), counted(largest, "byte"));
        fmt::print("{}{}\n", paragraph(title), table.text());
        show_output();
      }
    }
  }
  if (mpi.reports()) {
    if (settings.json) {
      print_json({"shunt-bench"}, {{"contests", report}});
    } else {
      if (means.contests() > 1)
        fmt::print("over all {} traffics\n{}\n", means.contests(), means.table().text());
      fmt::print("{}verified {}, {}\n{}", settings.pace.legend(), counted(exchanges, "exchange"),
                 counted(wrong, "wrong byte"), wisdom_line());
    }
  }
  if (wrong > 0) throw FoundWrong();
}

}  // namespace

Command add_bench(Command app) {
  auto settings = std::make_shared<BenchSettings>();
  const Command bench =
      app.add_subcommand("bench", "Time all exchanges, in turn with MPI_Alltoallv");
  bench
      .add_option("-n,--ranks", settings->launch,
                  "Start this many ranks;\nnot needed under mpirun or srun")
      .between(1, 1 << 20);
  bench
      .add_option("--pattern,--traffic", settings->patterns,
                  "Traffic: a pattern with its parameter\n(zipf:1.2), a .mtx or a .shunt file")
      .shows_default();
  bench.add_option("--maximum", settings->maxima, "Elements of the longest block")
      .shows_default()
      .not_negative();
  bench
      .add_option("--load", settings->loads,
                  "Instead of --maximum: bytes that a rank\nsends in all, at most")
      .not_negative();
  bench.add_option("--background", settings->background, "Elements of the other blocks")
      .shows_default()
      .not_negative();
  bench.add_option("--element", settings->element, "Bytes of an element")
      .shows_default()
      .between(1, 1 << 20);
  bench.add_option("--seed", settings->seed, "Of patterns that draw at random").shows_default();
  bench.add_option("--algorithm", settings->algorithms, "Only these (default: all)")
      .names_algorithms();
  bench.add_option("--mode", settings->modes, "Only these")
      .shows_default()
      .one_of({"blocking", "single", "dual"});
  bench.add_option("--form", settings->forms, "Only these")
      .shows_default()
      .one_of({"plan", "one-shot"});
  bench.add_option("--grain", settings->grain, "Bytes below which a block is never cut")
      .shows_default()
      .positive();
  bench
      .add_option("--packet", settings->packet,
                  "Bytes of the packets in which messages go through\nMPI (default: not cut)")
      .positive();
  settings->pace.add_to(bench, "Exchanges");
  bench.add_flag("--json", settings->json, "Print JSON");
  bench.set_action([settings, bench] {
    if (bench.subcommand_chosen()) return;
    if (!launched_as_rank()) {
      // What is wrong is said once, here, and not by every rank.
      check_settings(*settings, std::max(settings->launch, 1));
      if (settings->launch > 0) launch_ranks(settings->launch);
    }
    run_bench(*settings);
  });
  return bench;
}

}  // namespace shunt
