#include "tools/bench/grid_measured.hpp"

#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <mpi.h>

#include "context/context.hpp"
#include "lab/bench/alltoallv_contest.hpp"
#include "lab/traffic/patterns.hpp"
#include "lab/traffic/traffic.hpp"
#include "lab/traffic/traffic_file.hpp"
#include "model/configuration.hpp"
#include "model/counted.hpp"
#include "planner/choose.hpp"
#include "planner/trials.hpp"
#include "tools/common/size_text.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/session/bench_common.hpp"
#include "tools/session/node_report.hpp"
#include "tools/simulate/predictions.hpp"

namespace shunt {

namespace {

const std::vector<Bytes> kMeasuredLoads{1024, 65536, 4194304};

/// Of which a round takes the median.
constexpr int kRunsOfRound = 3;

/// Runs before those. For some eight runs exchanges take longer after those of other ways, which
/// "auto" tries just before its turn: the third run took up to a quarter more, of 4 MiB on 2 ranks.
constexpr int kWarmUpsOfTurn = 8;

/// The report of `describe_nodes`, on rank 0, and what all ranks know of it.
struct GridPlace {
  nlohmann::json report;
  bool has_nodes;
};

bool has_several_nodes(const nlohmann::json& report) {
  const std::size_t nodes = report["nodes"].size();
  return nodes > 1 && nodes < report["ranks"].get<std::size_t>();
}

GridPlace find_place(const MpiSession& mpi) {
  // Rank 0 may find that something is wrong; then nobody goes on.
  constexpr int kWrong = -1;
  int has_nodes = kWrong;
  const auto tell = [&has_nodes] { MPI_Bcast(&has_nodes, 1, MPI_INT, 0, MPI_COMM_WORLD); };
  nlohmann::json report;
  try {
    report = describe_nodes();
    if (mpi.reports()) has_nodes = has_several_nodes(report) ? 1 : 0;
  } catch (...) {
    tell();
    throw;
  }
  tell();
  if (has_nodes == kWrong) throw FoundWrong();
  return {std::move(report), has_nodes == 1};
}

/// The MPI library, and the nodes if there are several: "Open MPI v4.1.4 on 4,4,2,1".
std::string name_of_place(const nlohmann::json& report) {
  std::string nodes;
  for (const nlohmann::json& node : report["nodes"]) {
    nodes += fmt::format("{}{}", nodes.empty() ? "" : ",", node["ranks"].size());
  }
  const auto library = report["mpi"].get<std::string>();
  return report["nodes"].size() == 1 ? library : fmt::format("{} on {}", library, nodes);
}

/// What is published of the nodes: not what they are called.
nlohmann::json describe_grid_nodes(const nlohmann::json& report) {
  nlohmann::json nodes = report["nodes"];
  for (nlohmann::json& node : nodes) node.erase("host");
  return nodes;
}

/// What "auto" took in each turn: how what a plan says of itself begins, or all that a call says.
std::vector<std::string> choices_of(const bench::Result& result) {
  std::vector<std::string> names;
  if (result.algorithm != kAuto) return names;
  for (const std::string& text : result.explanations) {
    names.push_back(text.substr(0, text.find(" on ")));
  }
  return names;
}

/// A communicator of all ranks on which nobody has learned anything yet.
class FreshWorld {
 public:
  FreshWorld() { MPI_Comm_dup(MPI_COMM_WORLD, &comm_); }
  ~FreshWorld() { MPI_Comm_free(&comm_); }
  FreshWorld(const FreshWorld&) = delete;
  FreshWorld& operator=(const FreshWorld&) = delete;

  [[nodiscard]] MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

class MeasuredGrid {
 public:
  MeasuredGrid(const GridSettings& settings, const MpiSession& mpi, const GridPlace& place)
      : settings_(settings), mpi_(mpi) {
    if (settings_.loads.empty()) settings_.loads = kMeasuredLoads;
    if (settings_.forms.empty()) settings_.forms = {"plan", "one-shot"};
    options_.algorithms = settings_.algorithms;
    if (options_.algorithms.empty()) options_.algorithms = grid_candidates(place.has_nodes);
    options_.algorithms.emplace_back(kAuto);
    options_.modes = {Mode::dual_buffer};
    set_forms(options_, settings_.forms);
    options_.grain = settings_.grain;
    options_.rounds = settings_.rounds;
    options_.most_rounds = settings_.most_rounds;
    options_.learning = settings_.warm_up;
    options_.warm_up = kWarmUpsOfTurn;
    options_.runs = kRunsOfRound;
    options_.lone_plans = true;
    job_.ranks = mpi_.ranks();
    const std::shared_ptr<Context> context = Context::of(MPI_COMM_WORLD);
    machine_ = context->topology.machine();
    if (settings_.algorithms.empty() && machine_->nodes() < machine_->ranks()) {
      options_.algorithms.push_back(configuration_text(straight_once({}), {}));
    }
    profile_ = context->tuning.profile();
    if (mpi_.reports()) describe(place.report);
  }

  GridJob run() {
    for (const std::string& pattern : settings_.patterns) {
      const TrafficShape shape{mpi_.ranks(), 0, settings_.background, settings_.seed};
      for (const SizedLoad& size :
           sized_loads(settings_.loads, pattern, shape, settings_.element)) {
        run(pattern, size);
      }
    }
    return std::move(job_);
  }

 private:
  void describe(const nlohmann::json& report) {
    job_.where = name_of_place(report);
    job_.provenance = grid_provenance(settings_);
    job_.provenance["mpi"] = report["mpi"];
    job_.provenance["nodes"] = describe_grid_nodes(report);
    job_.provenance["rounds"] = settings_.rounds;
    job_.provenance["most_rounds"] = settings_.most_rounds;
    job_.provenance["profile"] = words_of_origin(*profile_);
    // The one setting of Open MPI that decides how many ranks get on on few processors.
    const char* yields = std::getenv("OMPI_MCA_mpi_yield_when_idle");
    if (yields != nullptr) job_.provenance["mpi_yield_when_idle"] = yields;
  }

  void run(const std::string& pattern, const SizedLoad& size) {
    announce(pattern, size.load);
    const auto traffic =
        make_traffic(pattern, {mpi_.ranks(), size.maximum, settings_.background, settings_.seed});
    // What trials may cost is a share of all calls on a communicator; a cell is a program by
    // itself.
    const FreshWorld world;
    const Predictor predictor(*profile_, *machine_, *traffic, settings_.element);
    bench::AlltoallvContest contest(world.get(), *traffic, settings_.element, options_);
    const std::vector<bench::Result> results = contest.run();
    job_.exchanges += contest.exchanges();
    job_.wrong_bytes += contest.wrong_bytes();
    for (const std::string& form : settings_.forms) {
      GridCell cell{pattern, size.load, size.maximum, form, {}};
      for (const bench::Result& result : results) {
        if (result.form != form && !is_native(result.algorithm)) continue;
        cell.ways.push_back({result.algorithm, result.microseconds, choices_of(result),
                             predict(predictor, result.algorithm, form)});
      }
      job_.cells.push_back(std::move(cell));
    }
  }

  /// Whether a configuration is more than the name of an algorithm.
  [[nodiscard]] static bool has_options(const std::string& configuration) {
    return read_configuration(configuration, {}).algorithm != configuration;
  }

  /// Where it is reported; nothing of "auto", which is one of the others, nor of what the model
  /// does not know.
  std::optional<Prediction> predict(const Predictor& predictor, const std::string& algorithm,
                                    const std::string& form) const {
    if (!mpi_.reports() || algorithm == kAuto || has_options(algorithm)) return {};
    if (is_native(algorithm)) return predictor.native();
    return predictor.of(algorithm, settings_.grain,
                        form == name_of(CallForm::plan) ? CallForm::plan : CallForm::one_shot);
  }

  void announce(const std::string& pattern, Bytes load) {
    if (!mpi_.reports()) return;
    fmt::print(stderr, "{}, {} of {}: {} of {}\n", counted(mpi_.ranks(), "rank"), ++begun_,
               traffics(), pattern, size_text(static_cast<std::uint64_t>(load)));
  }

  [[nodiscard]] std::size_t traffics() const {
    std::size_t all = 0;
    for (const std::string& pattern : settings_.patterns) {
      all += sizes_for(pattern, settings_.loads).size();
    }
    return all;
  }

  GridSettings settings_;
  const MpiSession& mpi_;
  std::shared_ptr<const Machine> machine_;
  std::shared_ptr<const Profile> profile_;
  bench::ContestOptions options_;
  GridJob job_;
  std::size_t begun_ = 0;
};

}  // namespace

GridJob measure_grid(const GridSettings& settings, const MpiSession& mpi) {
  return MeasuredGrid(settings, mpi, find_place(mpi)).run();
}

}  // namespace shunt
