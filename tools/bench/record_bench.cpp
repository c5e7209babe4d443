// shunt bench records: the record exchange beside what a program does without it.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "algorithms/registry.hpp"
#include "lab/bench/record_contest.hpp"
#include "model/counted.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/launch/launch.hpp"
#include "tools/session/bench_common.hpp"

namespace shunt {

namespace {

struct RecordBenchSettings {
  int launch = 0;
  Bytes records = 10'000'000;
  std::uint64_t seed = 1;
  std::vector<std::string> algorithms{"linear"};
  int rounds = 9;
  bool json = false;
};

void run_record_bench(const RecordBenchSettings& settings) {
  const MpiSession mpi;
  bench::ContestOptions options;
  options.algorithms = settings.algorithms;
  options.modes = {Mode::blocking, Mode::single_buffer, Mode::dual_buffer};
  options.rounds = settings.rounds;
  bench::RecordContest contest(MPI_COMM_WORLD, settings.records / mpi.ranks(), settings.seed,
                               options);
  const std::vector<bench::Result> results = contest.run();
  const Bytes wrong = contest.wrong_records();
  if (mpi.reports()) {
    const Table table = results_table(results, "by hand");
    if (settings.json) {
      print(table, {"shunt-bench-records"}, true);
    } else {
      fmt::print("{} of 16 bytes on {}, random destinations\n{}\n",
                 counted(settings.records / mpi.ranks() * mpi.ranks(), "record"),
                 counted(mpi.ranks(), "rank"), table.text());
      fmt::print("by hand: counting sort, MPI_Alltoall of counts, MPI_Alltoallv\n");
      fmt::print("{}", timing_legend(settings.rounds));
      fmt::print("verified {}, {}\n", counted(contest.exchanges(), "exchange"),
                 counted(wrong, "wrong record"));
    }
  }
  if (wrong > 0) throw FoundWrong();
}

}  // namespace

void add_record_bench(Command bench) {
  auto settings = std::make_shared<RecordBenchSettings>();
  const Command command =
      bench.add_subcommand("records", "Time the record exchange beside doing it by hand");
  command
      .add_option("-n,--ranks", settings->launch,
                  "Start this many ranks;\nnot needed under mpirun or srun")
      .between(1, 1 << 20);
  command.add_option("--records", settings->records, "Records of 16 bytes, of all ranks")
      .shows_default()
      .not_negative();
  command.add_option("--seed", settings->seed, "Of the records' keys").shows_default();
  command.add_option("--algorithm", settings->algorithms, "Of the record exchange")
      .shows_default()
      .names_algorithms();
  command.add_option("--rounds", settings->rounds, "Exchanges of each kind")
      .shows_default()
      .between(1, 1000000);
  command.add_flag("--json", settings->json, "Print JSON");
  command.set_action([settings] {
    // What is wrong is said once, here, and not by every rank.
    for (const std::string& name : settings->algorithms) {
      if (name != "auto") (void)make_algorithm(name, std::max(settings->launch, 1), 1);
    }
    if (settings->launch > 0 && !launched_as_rank()) launch_ranks(settings->launch);
    run_record_bench(*settings);
  });
}

}  // namespace shunt
