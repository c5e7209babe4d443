// shunt replay: the exchanges and broadcasts of a recorded program, by MPI and by Shunt, here or on
// a simulated machine.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lab/bench/trace_replay.hpp"
#include "lab/traffic/trace_use.hpp"
#include "shunt/error.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/launch/launch.hpp"
#include "tools/session/bench_common.hpp"
#include "tools/simulate/machine_replay.hpp"
#include "tools/trace/replay_report.hpp"

namespace shunt {

namespace {

struct ReplaySettings {
  std::string path;
  std::string machine;  ///< empty: here
  std::string nodes;    ///< of the machine
  int launch = 0;
  std::vector<std::string> algorithms{"auto"};
  std::vector<std::string> allgathers{"auto"};
  std::string mode = "dual";
  std::vector<std::string> forms{"plan", "one-shot"};
  Bytes grain = 512;
  int rounds = 20;
  bool json = false;
};

bench::ContestOptions contest_options(const ReplaySettings& settings,
                                      const std::vector<std::string>& algorithms) {
  bench::ContestOptions options;
  options.algorithms = algorithms;
  options.modes = modes_named({settings.mode});
  set_forms(options, settings.forms);
  options.grain = settings.grain;
  options.rounds = settings.rounds;
  return options;
}

ReplayReport report_of(const ReplaySettings& settings) {
  return ReplayReport({settings.machine, settings.mode, settings.rounds, settings.json});
}

MachineReplay on_machine(const ReplaySettings& settings) {
  ContestSettings contest;
  contest.modes = {settings.mode};
  contest.forms = settings.forms;
  contest.grain = settings.grain;
  MachineReplay how{settings.machine, settings.nodes, contest, contest};
  how.exchanges.algorithms = settings.algorithms;
  how.allgathers.algorithms = settings.allgathers;
  return how;
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

void run_here(const ReplaySettings& settings, const std::vector<std::string>& paths, Rank ranks) {
  const MpiSession mpi;
  // Rank 0 says why; a launcher would end it at once if another one failed.
  if (!mpi.reports() && mpi.ranks() != ranks) return;
  check_ranks(mpi.ranks(), ranks, settings.path);
  const bench::ContestOptions options = contest_options(settings, settings.algorithms);
  const bench::ContestOptions of_allgathers = contest_options(settings, settings.allgathers);
  ReplayReport report = report_of(settings);
  Bytes wrong = 0;
  for (const std::string& path : paths) {
    TraceFile file(path);
    const bench::Replay replay = bench::replay(file, options, of_allgathers);
    wrong += replay.wrong_bytes;
    if (mpi.reports()) report.add(path, file, replay);
  }
  if (mpi.reports()) report.finish();
  if (wrong > 0) throw FoundWrong();
}

void run_simulated(const ReplaySettings& settings, const std::vector<std::string>& paths) {
  const MachineReplay how = on_machine(settings);
  ReplayReport report = report_of(settings);
  for (const std::string& path : paths) {
    TraceFile file(path);
    report.add(path, file, replay_on(how, path, file));
  }
  report.finish();
  if (report.wrong_bytes() > 0) throw FoundWrong();
}

void start(const ReplaySettings& settings) {
  // What is wrong is said once, here, and not by every rank.
  const std::vector<std::string> paths = trace_paths(settings.path);
  const Rank ranks = ranks_of(paths);
  for (const std::string& path : paths) {
    const Rank some = TraceFile(path).head().ranks;
    for (const std::string& name : settings.algorithms) {
      check_algorithm(name, some, settings.grain);
    }
    for (const std::string& name : settings.allgathers) check_allgather(name, some);
  }
  if (!settings.machine.empty()) {
    run_simulated(settings, paths);
    return;
  }
  if (!launched_as_rank()) {
    if (settings.launch > 0) check_ranks(settings.launch, ranks, settings.path);
    launch_ranks(ranks);
  }
  run_here(settings, paths, ranks);
}

}  // namespace

void add_replay(Command app) {
  auto settings = std::make_shared<ReplaySettings>();
  const Command command =
      app.add_subcommand("replay",
                         "Make the exchanges and all-gathers of a recorded program "
                         "again,\nby MPI and by Shunt in turn, here or on a "
                         "simulated machine");
  command.add_option("trace", settings->path, "A trace (.shunt), or a folder of traces").required();
  const Option machine =
      command.add_option("--machine", settings->machine,
                         "Simulate them on a machine, as `shunt simulate` does,\nbeside what SMPI "
                         "takes from MPICH");
  command
      .add_option("--nodes", settings->nodes,
                  "Ranks on that machine's nodes, as of `shunt simulate`\n(default: they fill the "
                  "nodes in order)")
      .needs(machine);
  command
      .add_option("-n,--ranks", settings->launch,
                  "Start this many ranks: as many as the trace\nhas, as without this option")
      .excludes(machine)
      .between(1, 1 << 20);
  command.add_option("--algorithm", settings->algorithms, "Beside MPI's own")
      .shows_default()
      .names_algorithms();
  command.add_option("--allgather", settings->allgathers, "The same for all-gathers")
      .shows_default()
      .names_algorithms();
  command.add_option("--mode", settings->mode, "How messages are posted")
      .shows_default()
      .one_of({"blocking", "single", "dual"});
  command.add_option("--form", settings->forms, "Only these")
      .shows_default()
      .one_of({"plan", "one-shot"});
  command.add_option("--grain", settings->grain, "Bytes below which a block is never cut")
      .shows_default()
      .positive();
  command.add_option("--rounds", settings->rounds, "Exchanges of each kind, for each matrix")
      .shows_default()
      .excludes(machine)
      .between(1, 1000000);
  command.add_flag("--json", settings->json, "Print JSON");
  command.set_action([settings] { start(*settings); });
}

}  // namespace shunt
