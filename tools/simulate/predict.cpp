// shunt predict: what every candidate is expected to take, beside what it takes.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <mpi.h>

#include "algorithms/registry.hpp"
#include "context/context.hpp"
#include "lab/bench/alltoallv_contest.hpp"
#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic_file.hpp"
#include "model/host_kind.hpp"
#include "model/node_layout.hpp"
#include "model/profile_files.hpp"
#include "mpi_calls/mpi_call.hpp"
#include "shunt/error.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/launch/launch.hpp"
#include "tools/session/bench_common.hpp"
#include "tools/simulate/predict_report.hpp"
#include "tools/simulate/predictions.hpp"

namespace shunt {

namespace {

struct PredictSettings {
  int ranks = 0;
  std::string nodes;
  std::vector<std::string> patterns{"uniform"};
  std::vector<Bytes> maxima{1024};
  Bytes background = 1;
  int element = 8;
  std::uint64_t seed = 1;
  std::vector<std::string> algorithms;
  std::vector<std::string> forms{"plan", "one-shot"};
  int rounds = 20;
  bool no_run = false;
  bool json = false;
};

/// What is asked about, on one machine with its profile.
class Inquiry {
 public:
  Inquiry(const PredictSettings& settings, const Machine& machine, const FoundProfile& found)
      : settings_(settings), machine_(machine), found_(found), algorithms_(settings.algorithms) {
    if (!algorithms_.empty()) return;
    for (const std::string& name : algorithm_names(machine.ranks())) {
      // As in the bench.
      if (!name.starts_with("groups") && name != "row-column-square") algorithms_.push_back(name);
    }
  }

  [[nodiscard]] const std::vector<std::string>& algorithms() const { return algorithms_; }

  /// In the order of a contest's results.
  [[nodiscard]] std::vector<PredictedWay> candidates(const Traffic& traffic) const {
    const Predictor predictor(found_.profile, machine_, traffic, settings_.element);
    std::vector<PredictedWay> candidates{{"native", "", predictor.native(), {}}};
    for (const std::string& name : algorithms_) {
      for (const CallForm form : {CallForm::plan, CallForm::one_shot}) {
        if (std::ranges::find(settings_.forms, name_of(form)) == settings_.forms.end()) continue;
        candidates.push_back({name, name_of(form), predictor.of(name, Options{}.grain, form), {}});
      }
    }
    return candidates;
  }

  /// By which constants.
  [[nodiscard]] std::string source() const {
    const std::string origin = words_of_origin(found_.profile);
    if (!found_.path.empty()) return fmt::format("profile {}, of {}", found_.path, origin);
    return origin + ", since there is no profile for these ranks; `shunt calibrate` makes one";
  }

 private:
  const PredictSettings& settings_;
  const Machine& machine_;
  const FoundProfile& found_;
  std::vector<std::string> algorithms_;
};

template <class Visit>
void for_each_traffic(const PredictSettings& settings, Rank ranks, const Visit& visit) {
  for (const std::string& pattern : settings.patterns) {
    for (const Bytes maximum : sizes_for(pattern, settings.maxima)) {
      TrafficShape shape{ranks, maximum, settings.background, settings.seed};
      const auto traffic = make_traffic(pattern, shape);
      shape.maximum = maximum_of(*traffic, shape);
      visit(*traffic, shape);
    }
  }
}

PredictReport::Settings report_settings(const PredictSettings& settings) {
  return {settings.element, settings.no_run ? 0 : settings.rounds, settings.json};
}

FoundProfile find_and_say(const Site& site) {
  FoundProfile found = find_profile(site);
  for (const std::string& sentence : found.refused) fmt::print(stderr, "shunt: {}\n", sentence);
  return found;
}

void check_settings(const PredictSettings& settings, Rank ranks) {
  for_each_traffic(settings, ranks, [](const Traffic&, const TrafficShape&) {});
  for (const std::string& name : settings.algorithms) {
    if (name == "auto" || name == "native") {
      throw Error(ErrorKind::argument,
                  fmt::format("nothing is predicted of \"{}\"; give an algorithm", name));
    }
    check_algorithm(name, ranks, Options{}.grain);
  }
}

/// Without ranks: on the nodes that are given, or on one.
void predict_only(const PredictSettings& settings) {
  const std::optional<Rank> ranks =
      settings.ranks > 0 ? std::optional<Rank>(settings.ranks) : std::nullopt;
  if (!ranks && settings.nodes.empty()) {
    throw Error(ErrorKind::argument, "--ranks is required, or --nodes with the sizes of the nodes");
  }
  const Machine machine = settings.nodes.empty() ? Machine::blocked(*ranks, *ranks)
                                                 : read_node_layout(settings.nodes, ranks);
  Site site;
  site.machine = host_kind();
  site.mpi = mpi_library();
  site.ranks = machine.ranks();
  site.nodes = machine.nodes();
  site.largest_node = machine.size_of(machine.largest_node());
  site.rank_processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  check_settings(settings, machine.ranks());
  const FoundProfile found = find_and_say(site);
  const Inquiry inquiry(settings, machine, found);
  PredictReport report(report_settings(settings), inquiry.source());
  for_each_traffic(settings, machine.ranks(),
                   [&](const Traffic& traffic, const TrafficShape& shape) {
                     report.add(traffic, shape, inquiry.candidates(traffic));
                   });
  report.finish();
}

void predict_and_run(const PredictSettings& settings) {
  const MpiSession mpi;
  check_settings(settings, mpi.ranks());
  const std::shared_ptr<Context> context = Context::of(MPI_COMM_WORLD);
  const std::shared_ptr<const Machine> machine = context->topology.machine();
  const Site site = context->topology.site();
  const FoundProfile found = mpi.reports() ? find_and_say(site) : FoundProfile{};
  const Inquiry inquiry(settings, *machine, found);
  bench::ContestOptions options;
  options.algorithms = inquiry.algorithms();
  options.modes = {Options{}.mode};
  set_forms(options, settings.forms);
  options.rounds = settings.rounds;
  std::optional<PredictReport> report;
  if (mpi.reports()) report.emplace(report_settings(settings), inquiry.source());
  Bytes wrong = 0;
  for_each_traffic(settings, mpi.ranks(), [&](const Traffic& traffic, const TrafficShape& shape) {
    bench::AlltoallvContest contest(MPI_COMM_WORLD, traffic, settings.element, options);
    const std::vector<bench::Result> results = contest.run();
    wrong += contest.wrong_bytes();
    if (!report) return;
    std::vector<PredictedWay> candidates = inquiry.candidates(traffic);
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      candidates[k].measured = results[k].median * 1e-6;
    }
    report->add(traffic, shape, candidates);
  });
  if (report) report->finish();
  if (wrong > 0) throw FoundWrong();
}

}  // namespace

void add_predict(Command app) {
  auto settings = std::make_shared<PredictSettings>();
  const Command command = app.add_subcommand(
      "predict", "Say what each algorithm is expected to take, beside what it takes");
  command
      .add_option("-n,--ranks", settings->ranks,
                  "Start this many ranks;\nnot needed under mpirun or srun")
      .between(1, 1 << 20);
  command
      .add_option("--pattern,--traffic", settings->patterns,
                  "Traffic: a pattern with its parameter\n(zipf:1.2), a .mtx or a .shunt file")
      .shows_default();
  command.add_option("--maximum", settings->maxima, "Elements of the longest block")
      .shows_default()
      .not_negative();
  command.add_option("--background", settings->background, "Elements of the other blocks")
      .shows_default()
      .not_negative();
  command.add_option("--element", settings->element, "Bytes of an element")
      .shows_default()
      .between(1, 1 << 20);
  command.add_option("--seed", settings->seed, "Of patterns that draw at random").shows_default();
  command.add_option("--algorithm", settings->algorithms, "Only these (default: all)")
      .names_algorithms();
  command.add_option("--form", settings->forms, "Only these")
      .shows_default()
      .one_of({"plan", "one-shot"});
  command.add_option("--rounds", settings->rounds, "Exchanges of each kind")
      .shows_default()
      .between(1, 1000000);
  const Option no_run =
      command.add_flag("--no-run", settings->no_run, "Predict only: nothing is launched or sent");
  command
      .add_option("--nodes", settings->nodes,
                  "Which ranks share a node, as SHUNT_NODES says it\n(default: all of them)")
      .needs(no_run);
  command.add_flag("--json", settings->json, "Print JSON");
  command.set_action([settings] {
    if (settings->no_run) {
      predict_only(*settings);
      return;
    }
    if (!launched_as_rank()) {
      check_settings(*settings, std::max(settings->ranks, 1));
      if (settings->ranks > 0) launch_ranks(settings->ranks);
    }
    predict_and_run(*settings);
  });
}

}  // namespace shunt
