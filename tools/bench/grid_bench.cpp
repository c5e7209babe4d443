// shunt bench grid: what the choices of "auto" cost, over ranks, patterns and loads.
#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic.hpp"
#include "model/counted.hpp"
#include "planner/trials.hpp"
#include "shunt/error.hpp"
#include "tools/bench/grid_cells.hpp"
#include "tools/bench/grid_measured.hpp"
#include "tools/bench/grid_report.hpp"
#include "tools/bench/grid_settings.hpp"
#include "tools/bench/grid_simulated.hpp"
#include "tools/common/output_file.hpp"
#include "tools/common/process.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/warm_up.hpp"
#include "tools/launch/launch.hpp"
#include "tools/session/bench_common.hpp"
#include "tools/simulate/machine_ways.hpp"

namespace shunt {

namespace {

struct GridBenchSettings {
  GridSettings grid;
  std::vector<std::int32_t> ranks;    ///< none: the usual ones
  std::vector<std::string> machines;  ///< none: this one
  std::vector<std::string> built_in;
  std::vector<std::string> files;  ///< none: nothing has been measured yet
  std::string output;              ///< a file, or empty
  bool cells = false;
  bool json = false;
};

const std::vector<std::int32_t> kRanksHere{2, 4, 8, 16, 32, 64};
const std::vector<std::int32_t> kRanksSimulated{64, 256, 1024};

void keep_jobs(const GridBenchSettings& settings, const std::vector<GridJob>& jobs) {
  if (settings.output.empty()) return;
  write_output(settings.output, grid_text(jobs, GridReport(jobs).summary()));
}

void print_jobs(const GridBenchSettings& settings, const std::vector<GridJob>& jobs) {
  const GridReport report(jobs);
  // As the file has it, with its format and version.
  fmt::print("{}", settings.json ? grid_text(jobs, report.summary()) : report.text(settings.cells));
}

void expect_right(const std::vector<GridJob>& jobs) {
  const auto is_wrong = [](const GridJob& job) { return job.wrong_bytes > 0; };
  if (std::ranges::any_of(jobs, is_wrong)) throw FoundWrong();
}

/// Throws Error(argument) where a pattern or an algorithm cannot be had on that many ranks.
void check_grid(const GridSettings& grid, Rank ranks) {
  for (const std::string& pattern : grid.patterns) (void)make_traffic(pattern, {ranks, 1, 1, 1});
  for (const std::string& name : grid.algorithms) check_configuration(name, ranks, grid.grain);
}

/// The options with which ranks measure this grid and print it as JSON.
std::vector<std::string> grid_arguments(const GridSettings& grid) {
  std::vector<std::string> words{"bench", "grid", "--json"};
  const auto add = [&words](const char* option, const auto& values) {
    for (const auto& value : values) {
      words.emplace_back(option);
      words.push_back(fmt::format("{}", value));
    }
  };
  add("--pattern", grid.patterns);
  add("--load", grid.loads);
  add("--algorithm", grid.algorithms);
  add("--form", grid.forms);
  add("--background", std::vector<Bytes>{grid.background});
  add("--element", std::vector<int>{grid.element});
  add("--seed", std::vector<std::uint64_t>{grid.seed});
  add("--grain", std::vector<Bytes>{grid.grain});
  add("--warm-up", std::vector<int>{grid.warm_up});
  add("--rounds", std::vector<int>{grid.rounds});
  add("--most-rounds", std::vector<int>{grid.most_rounds});
  if (!grid.about.empty()) add("--about", std::vector<std::string>{grid.about});
  return words;
}

/// Starts so many ranks, which measure and print a job, and reads it.
std::vector<GridJob> measure_on(int ranks, const GridSettings& grid) {
  const Finished finished = run_captured(ranks_command(ranks, grid_arguments(grid)));
  const std::string what = fmt::format("the bench on {}", counted(ranks, "rank"));
  const auto broken = [&](const char* how) {
    return Error(
        ErrorKind::communication,
        fmt::format("{} {}, with status {}; what it said is above", what, how, finished.status));
  };
  if (finished.output.empty()) throw broken("ended without a result");
  std::vector<GridJob> jobs = parse_grid(what, finished.output);
  const auto is_right = [](const GridJob& job) { return job.wrong_bytes == 0; };
  if (finished.status != 0 && std::ranges::all_of(jobs, is_right)) throw broken("broke off");
  for (GridJob& job : jobs) job.provenance["command"] = grid_provenance(grid)["command"];
  return jobs;
}

void measure_here(const GridBenchSettings& settings) {
  const std::vector<std::int32_t>& numbers = settings.ranks.empty() ? kRanksHere : settings.ranks;
  for (const Rank ranks : numbers) check_grid(settings.grid, ranks);
  std::vector<GridJob> jobs;
  keep_jobs(settings, jobs);
  for (const Rank ranks : numbers) {
    std::ranges::move(measure_on(ranks, settings.grid), std::back_inserter(jobs));
    keep_jobs(settings, jobs);
  }
  print_jobs(settings, jobs);
  expect_right(jobs);
}

void measure_as_rank(const GridBenchSettings& settings) {
  const MpiSession mpi;
  check_grid(settings.grid, mpi.ranks());
  const std::vector<GridJob> jobs{measure_grid(settings.grid, mpi)};
  if (mpi.reports()) {
    // In this order: only now is it seen whether the file can be written.
    print_jobs(settings, jobs);
    keep_jobs(settings, jobs);
  }
  expect_right(jobs);
}

/// Throws Error(argument) where a pattern, an algorithm or one of SMPI's own cannot be had there.
void check_simulated(const GridBenchSettings& settings, const OccupiedMachine& occupied) {
  (void)algorithms_for(occupied, settings.grid.algorithms, settings.grid.grain);
  for (const std::string& pattern : settings.grid.patterns) {
    const auto traffic = make_traffic(pattern, {occupied.layout.ranks(), 1, 1, 1});
    for (const std::string& name : settings.built_in) check_built_in(name, *traffic);
  }
}

/// The machine with each number of ranks that it can have, at least one. Tells of the others.
std::vector<OccupiedMachine> occupations(const std::string& machine,
                                         const std::vector<std::int32_t>& numbers) {
  std::vector<OccupiedMachine> occupied;
  std::vector<Error> impossible;
  for (const Rank ranks : numbers) {
    try {
      occupied.push_back(occupy_machine(machine, ranks, ""));
    } catch (const Error& error) {
      impossible.push_back(error);
    }
  }
  if (occupied.empty()) throw impossible.front();
  for (const Error& error : impossible) fmt::print(stderr, "left out: {}\n", error.what());
  return occupied;
}

void simulate_machines(const GridBenchSettings& settings) {
  std::vector<OccupiedMachine> all;
  for (const std::string& machine : settings.machines) {
    std::ranges::move(
        occupations(machine, settings.ranks.empty() ? kRanksSimulated : settings.ranks),
        std::back_inserter(all));
  }
  for (const OccupiedMachine& occupied : all) check_simulated(settings, occupied);
  std::vector<GridJob> jobs;
  keep_jobs(settings, jobs);
  for (const OccupiedMachine& occupied : all) {
    jobs.emplace_back();
    const auto keep = [&](const GridJob& so_far) {
      jobs.back() = so_far;
      keep_jobs(settings, jobs);
    };
    simulate_grid(settings.grid, settings.built_in, occupied, keep);
  }
  print_jobs(settings, jobs);
  expect_right(jobs);
}

void show_files(const GridBenchSettings& settings) {
  std::vector<GridJob> jobs;
  for (const std::string& path : settings.files) {
    std::ranges::move(read_grid_file(path), std::back_inserter(jobs));
  }
  keep_jobs(settings, jobs);
  print_jobs(settings, jobs);
  expect_right(jobs);
}

void run_grid(GridBenchSettings& settings) {
  // These two take part anyway.
  std::erase_if(settings.grid.algorithms,
                [](const std::string& name) { return name == kAuto || name == kNative; });
  if (!settings.files.empty()) {
    show_files(settings);
  } else if (!settings.machines.empty()) {
    simulate_machines(settings);
  } else if (launched_as_rank()) {
    measure_as_rank(settings);
  } else {
    measure_here(settings);
  }
}

/// What is measured: options that do not go with `from`.
void add_cell_options(Command command, GridSettings& grid, Option from) {
  command
      .add_option("--pattern,--traffic", grid.patterns,
                  "Traffic: a pattern with its parameter\n(zipf:1.2), a .mtx or a .shunt file")
      .shows_default()
      .excludes(from);
  command
      .add_option(
          "--load", grid.loads,
          "Bytes that a rank sends in all, at most\n(default: 1024 65536 4194304; simulated "
          "16384\n262144 4194304)")
      .excludes(from)
      .not_negative();
  command.add_option("--background", grid.background, "Elements of a pattern's other blocks")
      .shows_default()
      .excludes(from)
      .not_negative();
  command.add_option("--element", grid.element, "Bytes of an element")
      .shows_default()
      .excludes(from)
      .between(1, 1 << 20);
  command.add_option("--seed", grid.seed, "Of patterns that draw at random")
      .shows_default()
      .excludes(from);
}

/// How it is measured, likewise.
void add_grid_way_options(Command command, GridSettings& grid, Option from, Option machine) {
  command
      .add_option("--algorithm", grid.algorithms,
                  "The candidates beside auto and native\n(default: those that may well be the "
                  "fastest)")
      .excludes(from)
      .names_algorithms();
  command
      .add_option("--form", grid.forms,
                  "Only these: plan, one-shot\n(default: both; simulated plans alone)")
      .excludes(from)
      .one_of({"plan", "one-shot"});
  command.add_option("--grain", grid.grain, "Bytes below which a block is never cut")
      .shows_default()
      .excludes(from)
      .positive();
  add_warm_up(command, grid.warm_up).excludes(from);
  command.add_option("--rounds", grid.rounds, "In which every way takes a turn of three runs")
      .shows_default()
      .excludes(from)
      .excludes(machine)
      .between(1, 1000000);
  command
      .add_option("--most-rounds", grid.most_rounds,
                  "Up to so many of auto, of MPI's own and of what may\nyet be the fastest, until "
                  "native/auto is known to\nwithin 4 %; less than --rounds: no more than these")
      .shows_default()
      .excludes(from)
      .excludes(machine)
      .between(0, 1000000);
  command.add_option("--about", grid.about, "What a reader of the JSON should know of the machine")
      .excludes(from);
}

void add_grid_options(Command command, GridBenchSettings& settings) {
  const Option from = command.add_option(
      "--from", settings.files, "Nothing is measured: show what these files keep,\nas one table");
  const Option machine =
      command
          .add_option("--machine", settings.machines,
                      "Simulate them on these machines, as\n`shunt simulate` does")
          .excludes(from);
  command
      .add_option("--built-in", settings.built_in,
                  "What of SMPI stands for native there\n(default: alltoallv:mpich alltoallv:ring)")
      .needs(machine);
  command
      .add_option(
          "-n,--ranks", settings.ranks,
          "Start these numbers of ranks in turn (default: 2 4 8\n16 32 64; simulated 64 256 "
          "1024); not needed under\nmpirun or srun, which has started one")
      .excludes(from)
      .between(1, 1 << 20);
  add_cell_options(command, settings.grid, from);
  add_grid_way_options(command, settings.grid, from, machine);
  command.add_option("-o,--output", settings.output, "Keep the JSON in this file");
  command.add_flag("--cells", settings.cells, "Print a row for every cell too");
  command.add_flag("--json", settings.json, "Print JSON");
}

}  // namespace

void add_grid_bench(Command bench) {
  auto settings = std::make_shared<GridBenchSettings>();
  const Command command = bench.add_subcommand(
      "grid",
      "What the choices of auto cost: beside the fastest of\nmany candidates, in many cells");
  add_grid_options(command, *settings);
  command.set_action([settings] { run_grid(*settings); });
}

}  // namespace shunt
