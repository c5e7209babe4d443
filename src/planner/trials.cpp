#include "planner/trials.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

#include "model/median.hpp"
#include "mpi_calls/simulated.hpp"
#include "planner/choose.hpp"
#include "planner/interleaved_timing.hpp"

namespace shunt {

namespace {

// A simulated exchange takes the same each time.
constexpr int kWarmUps = kSimulated ? 0 : 1;
constexpr int kRounds = kSimulated ? 1 : 7;
constexpr int kFirstRounds = kSimulated ? 1 : 3;
constexpr int kCalls = kSimulated ? 1 : 3;
/// Where exchanges are short, what may be the fastest is timed in as many more rounds as take these
/// seconds: ranks that share processors make the medians of a few rounds of microseconds differ by
/// half.
constexpr double kMoreTime = 5e-3;
constexpr int kMostMore = kSimulated ? 0 : 21;

/// A plan, what made it, and what it took in the last rounds.
struct Candidate {
  Configuration configuration;
  std::unique_ptr<PlannedExchange> plan;
  std::vector<double> rounds{};

  [[nodiscard]] double seconds() const { return median_of(rounds); }
};

int calls_of(const TrialGround& ground) {
  return kSimulated || ground.in_a_row == 0 ? kCalls : ground.in_a_row;
}

/// Times the plans in more rounds on this ground.
void time_plans(const Context& context, std::vector<Candidate>& plans, const TrialGround& ground,
                Rounds more) {
  if (more.rounds == 0) return;
  more.sent = ground.sent;
  more.in_a_row = ground.in_a_row > 0;
  std::vector<std::function<void()>> executions;
  for (const Candidate& plan : plans) executions.push_back(execution_of(*plan.plan));
  const std::vector<std::vector<double>> times = time_interleaved(context, executions, more);
  for (std::size_t k = 0; k < plans.size(); ++k) {
    plans[k].rounds.insert(plans[k].rounds.end(), times[k].begin(), times[k].end());
  }
}

void forget_times(std::vector<Candidate>& plans) {
  for (Candidate& plan : plans) plan.rounds.clear();
}

Configuration winner_of(const std::vector<Candidate>& plans, const Configuration& preferred) {
  std::vector<TrialRounds> trials;
  for (const Candidate& plan : plans) trials.push_back({plan.configuration, plan.rounds});
  return winner(trials, preferred);
}

/// The plans leave that took so many times as long as another one, and `seconds` at least; appends
/// what they took to `tried`.
void drop_slow(std::vector<Candidate>& plans, double times, double seconds,
               std::vector<Tried>& tried) {
  const double least = std::ranges::min_element(plans, {}, &Candidate::seconds)->seconds();
  std::erase_if(plans, [&](const Candidate& plan) {
    if (plan.seconds() <= std::max(times * least, seconds)) return false;
    tried.push_back({plan.configuration, plan.seconds()});
    return true;
  });
}

void drop_clearly_slower(std::vector<Candidate>& plans, std::vector<Tried>& tried) {
  constexpr double kClearlySlower = 1.5;
  drop_slow(plans, kClearlySlower, 0, tried);
}

/// Calls each plan twice; those leave that the second call shows to be out of the question, where
/// it takes so long that nothing else than the plan made it so. On several hosts MPI's own
/// non-blocking broadcast may take ten times as long as another one, and what the network loses by
/// it has others wait later. First calls say nothing: where the system of a virtual machine has to
/// be told of each page that is new to it, those of single copies of 4 MiB a rank took 100 ms, and
/// the next 10.
void drop_hopeless(const Context& context, std::vector<Candidate>& plans, const TrialGround& ground,
                   std::vector<Tried>& tried) {
  constexpr double kHopeless = 4;
  constexpr double kLong = 50e-3;
  time_plans(context, plans, ground, {.warm_ups = 1, .rounds = 1, .calls = 1});
  drop_slow(plans, kHopeless, kLong, tried);
}

double seconds_of_round(const std::vector<Candidate>& plans, const TrialGround& ground) {
  double seconds = 0;
  for (const Candidate& plan : plans) seconds += plan.seconds() * calls_of(ground);
  return seconds;
}

/// Fewer rounds of those that were timed once where they take long.
Rounds main_run(const std::vector<Candidate>& plans, const TrialGround& ground) {
  constexpr double kPatience = 1;
  constexpr int kFewest = 3;
  const Rounds usual{kWarmUps, kRounds, calls_of(ground)};
  const double fitting = kPatience / seconds_of_round(plans, ground);
  if (kSimulated || fitting >= kRounds) return usual;
  return {0, std::max(static_cast<int>(fitting), kFewest), usual.calls};
}

/// Times the plans, which were timed, in more rounds if there is time.
void time_more(const Context& context, std::vector<Candidate>& plans, const TrialGround& ground) {
  const int more =
      static_cast<int>(std::min(kMoreTime / seconds_of_round(plans, ground), double{kMostMore}));
  if (plans.size() > 1) time_plans(context, plans, ground, {0, more, calls_of(ground)});
}

/// Times the plans by a few rounds, and those again by many that may be the fastest; the others
/// leave, and `tried` is what they took. Returns seconds that all this took.
double run_heat(const Context& context, std::vector<Candidate>& plans, const TrialGround& ground,
                std::vector<Tried>& tried) {
  double spent = 0;
  const auto time = [&](int rounds) {
    forget_times(plans);
    time_plans(context, plans, ground, {kWarmUps, rounds, calls_of(ground)});
    spent += seconds_of_round(plans, ground) * (rounds + kWarmUps);
  };
  time(kFirstRounds);
  drop_clearly_slower(plans, tried);
  time(kRounds);
  return spent;
}

double median(const TrialRounds& trial) { return median_of(trial.seconds); }

/// Such a share of another's median is less than it, where nearly all rounds say so.
constexpr double kSlightly = 0.97;

/// A few rounds on a machine with other work differ by a tenth with nothing behind it.
bool is_clearly_faster(const TrialRounds& fastest, const TrialRounds& other) {
  constexpr double kClearly = 0.9;
  constexpr double kNearlyAll = 6.0 / 7;
  const double share = median(fastest) / median(other);
  double faster = 0;
  for (std::size_t round = 0; round < fastest.seconds.size(); ++round) {
    faster += fastest.seconds[round] < other.seconds[round] ? 1 : 0;
  }
  const bool nearly_always = faster >= kNearlyAll * static_cast<double>(fastest.seconds.size());
  return share < kClearly || (share < kSlightly && nearly_always);
}

}  // namespace

double seconds_of(const PlanChoice& choice) {
  return std::ranges::find(choice.trials, choice.configuration, &Tried::configuration)->seconds;
}

bool falls_back(const Configuration& preferred) { return preferred != straight_once(preferred); }

Configuration winner(const std::vector<TrialRounds>& trials, const Configuration& preferred) {
  const TrialRounds& fastest = *std::ranges::min_element(trials, {}, median);
  if (kSimulated) return fastest.configuration;
  const auto favourite = std::ranges::find(trials, preferred, &TrialRounds::configuration);
  const bool stays = favourite != trials.end() && !is_clearly_faster(fastest, *favourite);
  const TrialRounds& chosen = stays ? *favourite : fastest;
  const auto native = std::ranges::find(trials, kNative, [](const TrialRounds& trial) {
    return std::string_view(trial.configuration.algorithm);
  });
  const bool gains = native == trials.end() || !falls_back(preferred) ||
                     median(chosen) < kSlightly * median(*native);
  return gains ? chosen.configuration : native->configuration;
}

PlanChoice try_plans(const Context& context, const std::vector<Configuration>& candidates,
                     const Configuration& preferred, const TrialGround& ground) {
  std::vector<Candidate> plans;
  for (const Configuration& each : candidates) plans.push_back({each, ground.make(each)});
  PlanChoice choice;
  if (!kSimulated) drop_hopeless(context, plans, ground, choice.trials);
  const Rounds run = main_run(plans, ground);
  forget_times(plans);
  time_plans(context, plans, ground, run);
  drop_clearly_slower(plans, choice.trials);
  time_more(context, plans, ground);
  for (const Candidate& plan : plans) choice.trials.push_back({plan.configuration, plan.seconds()});
  choice.configuration = winner_of(plans, preferred);
  std::ranges::stable_sort(choice.trials, {}, &Tried::seconds);
  return choice;
}

PlanChoice race_plans(const Context& context, const std::vector<Configuration>& candidates,
                      const Configuration& preferred, const TrialGround& ground) {
  constexpr double kPatience = 2;
  PlanChoice choice;
  choice.configuration = preferred;
  std::vector<Candidate> plans;
  double spent = 0;
  for (auto next = candidates.begin(); next != candidates.end() && spent < kPatience;) {
    for (; next != candidates.end() && plans.size() < kRacedTogether; ++next) {
      plans.push_back({*next, ground.make(*next)});
    }
    spent += run_heat(context, plans, ground, choice.trials);
    choice.configuration = winner_of(plans, choice.configuration);
    std::erase_if(plans, [&](const Candidate& plan) {
      if (plan.configuration == choice.configuration) return false;
      choice.trials.push_back({plan.configuration, plan.seconds()});
      return true;
    });
  }
  choice.trials.push_back({plans.front().configuration, plans.front().seconds()});
  std::ranges::stable_sort(choice.trials, {}, &Tried::seconds);
  return choice;
}

}  // namespace shunt
