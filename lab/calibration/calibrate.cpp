#include "lab/calibration/calibrate.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <list>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include <mpi.h>

#include "algorithms/registry.hpp"
#include "context/context.hpp"
#include "engine/block_exchange.hpp"
#include "engine/stage_runner.hpp"
#include "lab/calibration/pair_traffic.hpp"
#include "lab/statistics/quantile.hpp"
#include "lab/traffic/patterns.hpp"
#include "model/wisdom.hpp"
#include "planner/interleaved_timing.hpp"
#include "planner/plan_choice.hpp"
#include "planner/scratch_blocks.hpp"

namespace shunt {

namespace {

/// Bytes that the rank sends to each, and receives.
std::pair<std::vector<Bytes>, std::vector<Bytes>> lengths_of(const Traffic& traffic, Rank rank) {
  std::vector<Bytes> sent(static_cast<std::size_t>(traffic.ranks()));
  std::vector<Bytes> received(sent.size());
  traffic.row(rank, sent);
  traffic.column(rank, received);
  return {sent, received};
}

/// Each is so many times as long as the one before.
constexpr Bytes kLadder = 8;

/// The lengths of blocks of which a rank can send so many to each: a ladder from nothing to what
/// fits into a load of 2 MiB.
std::vector<Bytes> block_lengths(Rank ranks) {
  constexpr Bytes kLongestLoad = Bytes{2} << 20;
  std::vector<Bytes> lengths{0};
  for (Bytes bytes = 8; lengths.size() < 4 || bytes * ranks <= kLongestLoad; bytes *= kLadder) {
    if (bytes > (Bytes{1} << 20)) break;
    lengths.push_back(bytes);
  }
  return lengths;
}

class Calibrator {
 public:
  Calibrator(const std::shared_ptr<Context>& context, const CalibrationSettings& settings)
      : context_(context),
        settings_(settings),
        machine_(context->topology.machine()),
        lengths_(block_lengths(context->ranks())) {
    calibration_.profile = typical_profile(context->topology.site());
    calibration_.profile.date = day_text(std::time(nullptr));
    if (context->rank() == 0) fit_.emplace(machine_, calibration_.profile.site);
    algorithms_ = {"linear"};
    for (const char* name : {"row-column", "four-stage", "bruck:2", "bruck:4"}) {
      // Those of one stage say nothing of stages, as some do on two or three ranks.
      const auto algorithm = make_algorithm(name, *machine_, Options{}.grain);
      if (algorithm->stages() > 1) algorithms_.emplace_back(name);
    }
    if (machine_->nodes() > 1 && machine_->nodes() < machine_->ranks()) {
      for (const char* name : {"node-pairwise", "leaders:1", "bruck-among-nodes"}) {
        algorithms_.emplace_back(name);
      }
    }
  }

  Calibration run() {
    const double begin = MPI_Wtime();
    budget_ = settings_.seconds / parts();
    part([this] { measure_copies(); });
    part([this] { measure_reductions(); });
    part([this] { measure_contention(); });
    part([this] { measure_window(); });
    climb();
    const Bytes longest = lengths_.back();
    // Skewed traffics, and such as leave most pairs without anything.
    for (const char* pattern : kUnevenPatterns) {
      for (const Bytes bytes : {kShortest, longest}) {
        part([&] { time_traffic(*make_traffic(pattern, {context_->ranks(), bytes, 1, 1})); });
      }
    }
    for (const bool all : {false, true}) {
      for (const Bytes bytes : {kShortest, longest}) {
        part([&] { time_traffic(PairTraffic(*machine_, bytes, all)); });
      }
    }
    if (fit_) {
      fit_->fit(calibration_.profile);
      calibration_.exchanges = fit_->exchanges();
    }
    calibration_.seconds = MPI_Wtime() - begin;
    return std::move(calibration_);
  }

 private:
  static constexpr const char* kUnevenPatterns[] = {"zipf", "neighbours:1", "hot-sender",
                                                    "lower-triangular"};
  static constexpr Bytes kShortest = 64;  ///< of uneven traffics

  /// All that `run` measures.
  [[nodiscard]] double parts() const {
    constexpr std::size_t kOthers = 8;
    return static_cast<double>(2 * lengths_.size() - 1 + 2 * std::size(kUnevenPatterns) + kOthers);
  }

  void part(const std::function<void()>& measure) {
    measure();
    ++done_;
    if (context_->rank() == 0) settings_.progress(done_ / parts());
  }

  /// Even traffics of longer and longer blocks, as long as the longest leave time for what is to be
  /// measured with them. The others are forgotten.
  void climb() {
    constexpr double kTraffics = 7;  // about, of all ways each
    constexpr double kPatience = 1.5;
    double before = 0;
    for (std::size_t k = 0; k < lengths_.size(); ++k) {
      const Bytes bytes = lengths_[k];
      part([&] { measure_native(bytes); });
      if (bytes == 0) continue;
      double round = 0;
      part([&] {
        round = time_traffic(*make_traffic("uniform", {context_->ranks(), bytes, 1, 1}));
      });
      const double growth = before > 0 ? std::clamp(round / before, 2.0, double{kLadder}) : kLadder;
      before = round;
      const double next = kTraffics * (kWarmUps + kFewestRounds) * growth * round;
      if (bytes >= kShortest && next > kPatience * settings_.seconds) lengths_.resize(k + 1);
    }
  }

  static constexpr int kWarmUps = 2;
  static constexpr int kFewestRounds = 8;

  /// Of as many rounds as the time for this part allows, 8 to 60, the time that a
  /// tenth of them keep: what a machine with other work takes beyond is no cost of the exchange.
  /// What they send, `sent`, is written anew before each.
  std::vector<double> time(const std::vector<std::function<void()>>& ways,
                           std::span<std::byte> sent = {}) const {
    constexpr double kBest = 0.1;
    constexpr double kMostRounds = 60;
    double round = 1e-9;
    for (const auto& once : time_interleaved(*context_, ways, {kWarmUps - 1, 1, 1, sent}))
      round += once.front();
    const int rounds =
        static_cast<int>(std::clamp<double>(budget_ / round, kFewestRounds, kMostRounds));
    std::vector<double> seconds;
    for (auto& times : time_interleaved(*context_, ways, {0, rounds, 1, sent})) {
      seconds.push_back(quantile_of(std::move(times), kBest));
    }
    return seconds;
  }

  void measure_copies() {
    // Longer than most caches.
    constexpr std::size_t kBytes = std::size_t{64} << 20;
    double seconds = 0;
    if (context_->rank() == 0) {
      const std::vector<std::byte> from(kBytes, std::byte{1});
      std::vector<std::byte> to(kBytes, std::byte{2});
      const double begin = MPI_Wtime();
      std::memcpy(to.data(), from.data(), kBytes);
      seconds = MPI_Wtime() - begin;
    }
    meet(*context_);
    calibration_.profile.memory_copy_per_byte = seconds / kBytes;
  }

  void measure_reductions() {
    calibration_.profile.reduction = time({[this] {
                                       const Bytes own[4] = {};
                                       Bytes all[4];
                                       context_->progress.reduce(own, all, 4, MPI_INT64_T, MPI_MAX);
                                     }}).front();
  }

  /// What a plan of `options` takes for each traffic, by turns.
  std::vector<double> time_plans(const std::vector<const Traffic*>& traffics,
                                 const std::vector<Options>& options) const {
    std::list<ScratchBlocks> blocks;
    std::vector<std::unique_ptr<PlannedExchange>> plans;
    std::vector<std::function<void()>> ways;
    for (std::size_t k = 0; k < traffics.size(); ++k) {
      const auto [sent, received] = lengths_of(*traffics[k], context_->rank());
      blocks.emplace_back(sent, received);
      plans.push_back(
          make_plan(context_, options[k], blocks.back().send(), blocks.back().receive()));
      ways.push_back(execution_of(*plans.back()));
    }
    return time(ways);
  }

  void measure_contention() {
    if (context_->ranks() < 2) return;
    constexpr Bytes kLong = Bytes{1} << 18;
    const PairTraffic alone(*machine_, kLong, false);
    const PairTraffic together(*machine_, kLong, true);
    const Options straight{.algorithm = kStraight};
    const auto seconds = time_plans({&alone, &together}, {straight, straight});
    calibration_.profile.contention = seconds[1] / seconds[0];
  }

  void measure_window() {
    constexpr Bytes kShort = 1024;
    const auto traffic = make_traffic("uniform", {context_->ranks(), kShort, 1, 1});
    // Nothing is under way in memory that ranks share.
    Options all{.algorithm = kStraight, .shared_memory = false};
    Options one = all;
    one.window.messages = 1;
    const auto seconds = time_plans({traffic.get(), traffic.get()}, {one, all});
    calibration_.profile.window = seconds[0] / seconds[1];
  }

  void measure_native(Bytes bytes) {
    const auto ranks = static_cast<std::size_t>(context_->ranks());
    const auto count = static_cast<int>(bytes);
    const std::vector<int> counts(ranks, count);
    std::vector<int> offsets(ranks);
    std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), 0);
    const std::size_t all = ranks * static_cast<std::size_t>(bytes) + 1;
    std::vector<std::byte> sent(all);
    std::vector<std::byte> received(all);
    // By the names of the profiling interface: the others may be those of the preloaded library.
    const auto seconds = time(
        {[&] {
           PMPI_Alltoallv(sent.data(), counts.data(), offsets.data(), MPI_BYTE, received.data(),
                          counts.data(), offsets.data(), MPI_BYTE, context_->comm());
         },
         [&] {
           PMPI_Allgatherv(sent.data(), count, MPI_BYTE, received.data(), counts.data(),
                           offsets.data(), MPI_BYTE, context_->comm());
         }},
        sent);
    if (bytes == 0) {
      calibration_.profile.alltoallv.clear();
      calibration_.profile.allgatherv.clear();
    }
    calibration_.profile.alltoallv.push_back({bytes, seconds[0]});
    calibration_.profile.allgatherv.push_back({bytes, seconds[1]});
  }

  /// Every algorithm in both forms, by turns: returns what one of each took together.
  double time_traffic(const Traffic& traffic) {
    const auto [sent, received] = lengths_of(traffic, context_->rank());
    ScratchBlocks blocks(sent, received);
    std::vector<std::unique_ptr<PlannedExchange>> plans;
    std::vector<std::function<void()>> ways;
    for (const std::string& name : algorithms_) {
      const Options options{.algorithm = name};
      plans.push_back(make_plan(context_, options, blocks.send(), blocks.receive()));
      ways.push_back(execution_of(*plans.back()));
      ways.emplace_back([this, options, &blocks] {
        run_exchange(*context_, context_->schedules.find(options.algorithm, options), options,
                     kHeadBytes, blocks.send(), blocks.receive());
      });
    }
    const std::vector<double> seconds = time(ways, blocks.sent());
    if (fit_) {
      auto next = seconds.begin();
      for (const std::string& name : algorithms_) {
        fit_->add(traffic, name, CallForm::plan, *next++);
        fit_->add(traffic, name, CallForm::one_shot, *next++);
      }
    }
    return std::accumulate(seconds.begin(), seconds.end(), 0.0);
  }

  std::shared_ptr<Context> context_;
  const CalibrationSettings& settings_;
  std::shared_ptr<const Machine> machine_;
  std::vector<std::string> algorithms_;
  std::vector<Bytes> lengths_;  ///< of blocks
  double budget_ = 1;           ///< seconds for each part
  double done_ = 0;             ///< parts
  Calibration calibration_;
  std::optional<CostFit> fit_;  ///< on rank 0
};

}  // namespace

Calibration calibrate(const std::shared_ptr<Context>& context,
                      const CalibrationSettings& settings) {
  return Calibrator(context, settings).run();
}

}  // namespace shunt
