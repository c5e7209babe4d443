// shunt bench schedule: what one rank's own schedule costs it, up to a million ranks.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/registry.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/table.hpp"

namespace shunt {

namespace {

struct ScheduleBenchSettings {
  std::string algorithm = "four-stage";
  std::vector<Rank> ranks = {1000, 10000, 100000, 1000000};
  int samples = 1001;
  bool json = false;
};

/// What making all stages of one rank took.
struct Sample {
  double microseconds;
  Bytes steps;
  Bytes bytes;  ///< that the vectors of steps hold
};

Sample schedule_once(const std::string& name, Rank ranks, Rank rank) {
  const auto begin = std::chrono::steady_clock::now();
  const std::unique_ptr<Algorithm> algorithm = make_algorithm(name, ranks, 1);
  std::vector<std::vector<Step>> stages;
  for (int stage = 0; stage < algorithm->stages(); ++stage) {
    stages.push_back(algorithm->steps(stage, rank));
  }
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
  Sample sample{time.count(), 0, 0};
  for (const auto& steps : stages) {
    sample.steps += std::ssize(steps);
    sample.bytes += static_cast<Bytes>(steps.capacity() * sizeof(Step));
  }
  return sample;
}

/// The ranks to look at: all, or `count` spread evenly from the first to the last.
std::vector<Sample> samples_of(const ScheduleBenchSettings& settings, Rank ranks) {
  std::vector<Sample> samples;
  const int count = std::min(settings.samples, ranks);
  for (int i = 0; i < count; ++i) {
    const Rank rank = count == 1 ? 0 : static_cast<Rank>(Bytes{i} * (ranks - 1) / (count - 1));
    samples.push_back(schedule_once(settings.algorithm, ranks, rank));
  }
  return samples;
}

void bench_schedule(const ScheduleBenchSettings& settings) {
  Table table({{"ranks"},
               {"most steps"},
               {"median us"},
               {"99% within us", Align::right, "percentile_99_us"},
               {"most bytes"},
               {"bytes / sqrt P", Align::right, "bytes_over_sqrt_ranks"}});
  for (const Rank ranks : settings.ranks) {
    std::vector<Sample> samples = samples_of(settings, ranks);
    const Bytes steps = std::ranges::max(samples, {}, &Sample::steps).steps;
    const Bytes bytes = std::ranges::max(samples, {}, &Sample::bytes).bytes;
    std::ranges::sort(samples, {}, &Sample::microseconds);
    table.add({ranks, steps, rounded(samples[samples.size() / 2].microseconds, 1),
               rounded(samples[samples.size() * 99 / 100].microseconds, 1), bytes,
               rounded(static_cast<double>(bytes) / std::sqrt(ranks), 1)});
  }
  print(table, {"shunt-bench-schedule"}, settings.json);
}

}  // namespace

void add_schedule_bench(Command bench_app) {
  const Command command =
      bench_app.add_subcommand("schedule", "Time and memory of one rank's whole schedule");
  auto settings = std::make_shared<ScheduleBenchSettings>();
  command.add_option("--algorithm", settings->algorithm, "Algorithm")
      .shows_default()
      .names_algorithms();
  command.add_option("-P,--ranks", settings->ranks, "Numbers of ranks")
      .between(1, 1 << 30)
      .separated_by(',')
      .shows_default();
  command.add_option("--samples", settings->samples, "Ranks to look at, spread over all")
      .between(1, 1 << 30)
      .shows_default();
  command.add_flag("--json", settings->json, "Print JSON");
  command.set_action([settings] { bench_schedule(*settings); });
}

}  // namespace shunt
