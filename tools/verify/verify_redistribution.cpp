// shunt verify redistribution: proves the schedules of redistributions, for all small block-cyclic
// distributions and for random ones.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lab/schedules/random_redistribution.hpp"
#include "model/counted.hpp"
#include "tools/common/parallel_parts.hpp"
#include "tools/common/subcommands.hpp"
#include "tools/common/table.hpp"
#include "tools/verify/redistribution_proofs.hpp"
#include "tools/verify/verification_report.hpp"

namespace shunt {

namespace {

/// Random redistributions that a thread takes at once.
constexpr int kAtOnce = 50;
/// Of each of the two dimensions of Algorithm 2, at most: there are as many schedules as pairs.
constexpr Rank kMostPlacesOnGrid = 6;
constexpr Index kMostBlockOnGrid = 6;

struct RedistributionProofSettings {
  Rank max_places = 24;
  Index max_block = 36;
  int random = 10000;
  int threads = 2;
  bool json = false;
};

/// What is proved, in the order of the table.
enum class Kind { algorithm_1, algorithm_2, long_array, lengths, random };
constexpr std::array kNames = {
    "Guo 2000, Algorithm 1: b = beta b', P <= P'",
    "Guo 2000, Algorithm 2: likewise in each of two dimensions",
    "any blocks: a long array of one dimension",
    "the same: messages of a step of about the same length",
    "random parts of arrays of one to three dimensions",
};

struct StepsTally {
  Bytes schedules = 0;
  Bytes messages = 0;
  Bytes violations = 0;
};

/// Redistributions of several dimensions: what the steps of each by itself would make.
struct Tuples {
  Bytes all = 0;
  Bytes more = 0;    ///< those that take fewer steps than that
  double times = 0;  ///< of these, so many times the steps that they take, all added
};

/// From CYCLIC(beta) to CYCLIC on no fewer places.
std::vector<GuoGridSchedule::Axis> grid_axes(const RedistributionProofSettings& settings) {
  std::vector<GuoGridSchedule::Axis> axes;
  const Rank most = std::min(settings.max_places, kMostPlacesOnGrid);
  for (Rank senders = 1; senders <= most; ++senders) {
    for (Rank receivers = senders; receivers <= most; ++receivers) {
      for (Index beta = 1; beta <= std::min(settings.max_block, kMostBlockOnGrid); ++beta) {
        axes.push_back({{senders, beta}, {receivers, 1}});
      }
    }
  }
  return axes;
}

std::string name_of(const Dealing& from, const Dealing& to) {
  return fmt::format("CYCLIC({}) onto {} to CYCLIC({}) onto {}", from.block, from.places, to.block,
                     to.places);
}

class RedistributionVerification {
 public:
  explicit RedistributionVerification(const RedistributionProofSettings& settings)
      : settings_(settings),
        axes_(grid_axes(settings)),
        pairs_(settings.max_places * settings.max_places) {}

  void run() {
    const int random = (settings_.random + kAtOnce - 1) / kAtOnce;
    for_each_part(pairs_ + static_cast<int>(axes_.size()) + random, settings_.threads,
                  [this](int part) { verify(part); });
    std::ranges::sort(violations_);
  }

  [[nodiscard]] const std::array<StepsTally, kNames.size()>& tallies() const { return tallies_; }
  [[nodiscard]] const Tuples& tuples() const { return tuples_; }
  /// Added.
  [[nodiscard]] const StepCosts& costs() const { return costs_; }
  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }

 private:
  /// The parts: pairs of numbers of places, first dimensions of grids, and random ones.
  void verify(int part) {
    const int axis = part - pairs_;
    if (axis < 0) {
      verify_places(part / settings_.max_places + 1, part % settings_.max_places + 1);
    } else if (static_cast<std::size_t>(axis) < axes_.size()) {
      verify_grids(axes_[static_cast<std::size_t>(axis)]);
    } else {
      verify_random((axis - static_cast<int>(axes_.size())) * kAtOnce);
    }
  }

  void verify_places(Rank senders, Rank receivers) {
    for (Index b = 1; b <= settings_.max_block; ++b) {
      for (Index c = 1; c <= settings_.max_block; ++c) {
        const Dealing from{senders, b};
        const Dealing to{receivers, c};
        enter(Kind::long_array, prove_block_cyclic(from, to), [&] { return name_of(from, to); });
        verify_lengths(from, to);
      }
      if (senders > receivers) continue;
      enter(Kind::algorithm_1, prove_algorithm_1(senders, receivers, b), [&] {
        return name_of({senders, b}, {receivers, 1});
      });
    }
  }

  void verify_lengths(const Dealing& from, const Dealing& to) {
    StepCosts costs;
    for (const RedistributionProof& proof : prove_lengths(from, to, costs)) {
      enter(Kind::lengths, proof, [&] { return name_of(from, to); });
    }
    const std::lock_guard lock(mutex_);
    costs_.shifts += costs.shifts;
    costs_.fewest += costs.fewest;
    costs_.sorted += costs.sorted;
    costs_.matched += costs.matched;
  }

  void verify_grids(const GuoGridSchedule::Axis& rows) {
    for (const GuoGridSchedule::Axis& columns : axes_) {
      enter(Kind::algorithm_2, prove_algorithm_2(rows, columns),
            [&] { return name_of(rows.from, rows.to) + ", " + name_of(columns.from, columns.to); });
    }
  }

  void verify_random(int first) {
    for (int number = first; number < std::min(first + kAtOnce, settings_.random); ++number) {
      const RandomRedistribution random =
          random_redistribution(static_cast<std::uint64_t>(number) + 1);
      const RedistributionProof proof = prove_redistribution(random.axes, random.from, random.to);
      enter(Kind::random, proof, [&] { return random.name(); });
      if (random.axes.size() > 1) compare(steps_of_dimensions(random.axes), proof.steps);
    }
  }

  void compare(Bytes own_steps, int steps) {
    const std::lock_guard lock(mutex_);
    ++tuples_.all;
    if (own_steps == steps) return;
    ++tuples_.more;
    tuples_.times += static_cast<double>(own_steps) / steps;
  }

  template <class Name>
  void enter(Kind kind, const RedistributionProof& proof, const Name& name) {
    const std::lock_guard lock(mutex_);
    const auto place = static_cast<std::size_t>(kind);
    StepsTally& tally = tallies_[place];
    ++tally.schedules;
    tally.messages += proof.messages;
    tally.violations += std::ssize(proof.violations);
    for (const std::string& sentence : proof.violations) {
      violations_.push_back(fmt::format("{}, {}: {}", kNames[place], name(), sentence));
    }
  }

  const RedistributionProofSettings& settings_;
  std::vector<GuoGridSchedule::Axis> axes_;
  int pairs_;
  std::mutex mutex_;  ///< guards what follows
  std::array<StepsTally, kNames.size()> tallies_ = {};
  Tuples tuples_;
  StepCosts costs_;
  std::vector<std::string> violations_;
};

Table steps_table(const RedistributionVerification& verification) {
  Table table(
      {{"redistributions", Align::left, "kind"}, {"schedules"}, {"messages"}, {"violations"}});
  for (std::size_t kind = 0; kind < kNames.size(); ++kind) {
    const StepsTally& tally = verification.tallies()[kind];
    table.add({kNames[kind], tally.schedules, tally.messages, tally.violations});
  }
  return table;
}

std::string summary(const RedistributionVerification& verification) {
  Bytes schedules = 0;
  for (const StepsTally& tally : verification.tallies()) schedules += tally.schedules;
  return fmt::format("checked {} of redistributions: {}", counted(schedules, "schedule"),
                     counted(verification.violations().size(), "violation"));
}

void print_costs(const StepCosts& costs, Bytes cases) {
  const auto mean = [&](double sum) { return sum / static_cast<double>(cases); };
  fmt::print(
      "The longest messages of the steps together, over what the busiest place has, in\n"
      "the {} of these arrays in which not all meet all: {:.2f} by fewest steps,\n"
      "{:.2f} if sorted by length, {:.2f} if matched by it, {:.2f} by cyclic shifts.\n",
      cases, mean(costs.fewest), mean(costs.sorted), mean(costs.matched), mean(costs.shifts));
}

void print_step_costs(const RedistributionProofSettings& settings,
                      const RedistributionVerification& verification) {
  fmt::print(
      "\nLong arrays: all with up to {} and blocks of up to {} on both\n"
      "sides. Proved: a place sends to all for whom it has something, to each once; it\n"
      "sends to one and receives from one in a step; and fewer steps would not do.\n",
      counted(settings.max_places, "place"),
      settings.max_block == 1 ? "1 index" : fmt::format("{} indices", settings.max_block));
  // Of each case there is one schedule by either rule.
  const auto by_length = static_cast<std::size_t>(Kind::lengths);
  const Bytes cases = verification.tallies()[by_length].schedules / 2;
  if (cases > 0) print_costs(verification.costs(), cases);
  const Tuples& tuples = verification.tuples();
  if (tuples.more > 0) {
    fmt::print(
        "Each dimension's own steps would be the fewest in {} of {} random ones of\n"
        "several dimensions, and {:.2f} times as many in the others.\n",
        tuples.all - tuples.more, tuples.all, tuples.times / static_cast<double>(tuples.more));
  }
}

void verify(const RedistributionProofSettings& settings) {
  RedistributionVerification verification(settings);
  verification.run();
  print_report({"shunt-verify-redistribution", "redistributions", steps_table(verification),
                verification.violations(), summary(verification)},
               settings.json, [&] { print_step_costs(settings, verification); });
}

}  // namespace

void add_redistribution_proofs(Command verify_app) {
  const Command command = verify_app.add_subcommand(
      "redistribution", "Prove the schedules of block-cyclic redistributions instead");
  auto settings = std::make_shared<RedistributionProofSettings>();
  command
      .add_option("--max-places", settings->max_places,
                  "Check all of one dimension from 1 to this many places\nto 1 to this many")
      .between(1, 1000)
      .shows_default();
  command
      .add_option("--max-block", settings->max_block,
                  "and from blocks of 1 to this many indices to such\nblocks")
      .between(1, 10000)
      .shows_default();
  command
      .add_option("--random", settings->random,
                  "Check so many random redistributions of parts of arrays\n"
                  "of one to three dimensions")
      .between(0, 10000000)
      .shows_default();
  command.add_option("--threads", settings->threads, "Threads that share the work")
      .between(1, 1024)
      .shows_default();
  command.add_flag("--json", settings->json, "Print JSON");
  command.set_action([settings] { verify(*settings); });
}

}  // namespace shunt
