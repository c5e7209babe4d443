#include "collective/tuned_call.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <mpi.h>

#include "model/say.hpp"
#include "mpi_calls/simulated.hpp"
#include "planner/clock.hpp"
#include "planner/process_wisdom.hpp"
#include "planner/recalled_choice.hpp"
#include "planner/trials.hpp"

namespace shunt {

namespace {

CallKind kind_of(const Options& options, const char* name, NativeCall native, int function) {
  CallKind kind;
  kind.name = name;
  kind.function = function;
  kind.preloaded = native == NativeCall::as_it_came;
  kind.mode = options.mode;
  kind.grain = options.grain;
  kind.packet = options.packet;
  kind.shared_memory = options.shared_memory;
  kind.single_copy = options.single_copy;
  kind.effort = options.effort;
  kind.memory = options.memory;
  return kind;
}

std::string news_of(const WisdomEntry& entry, const std::string& ranks,
                    const TrafficSignature& traffic) {
  std::string text = fmt::format("{}, {}: {};", ranks, traffic.text(), entry.algorithm);
  for (const Trial& trial : entry.trials) {
    text += fmt::format(" {} {:.1f} us", trial.algorithm, trial.seconds * 1e6);
  }
  return text;
}

WisdomEntry entry_of(const LearnedTraffic& traffic, const Options& asked) {
  const auto text_of = [&](std::size_t candidate) {
    Configuration made = traffic.candidates[candidate];
    made.window = asked.window;  // another one in each call
    return configuration_text(made, asked);
  };
  const Learner& learner = traffic.learner;
  WisdomEntry entry{text_of(learner.leader()), learner.seconds(), Effort::measure, 0, {}};
  for (const Learner::Taken& taken : learner.tried()) {
    entry.trials.push_back({text_of(taken.candidate), taken.seconds});
  }
  return entry;
}

/// The candidate that is MPI's own collective.
std::optional<std::size_t> native_of(const std::vector<Configuration>& candidates) {
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    if (candidates[k].algorithm == kNative) return k;
  }
  return std::nullopt;
}

/// Ends the race in favour of what is remembered, if it is a candidate.
void settle_on(const WisdomEntry& remembered, const Options& asked, LearnedTraffic& traffic) {
  for (std::size_t k = 0; k < traffic.candidates.size(); ++k) {
    if (configuration_text(traffic.candidates[k], asked) != remembered.algorithm) continue;
    (void)traffic.learner.settle_on(k, remembered.seconds);
  }
}

}  // namespace

bool learns(const Context& context) { return !kSimulated && context.ranks() > 1; }

[[gnu::hot]] TunedCall::TunedCall(const Problem& problem, NativeCall native, int function)
    : context_(*problem.context),
      options_(problem.options),
      kind_(problem.kind),
      native_(native),
      function_(function),
      all_know_lengths_(kind_.all_know_lengths()) {
  LearnedCalls& learned = context_.tuning.learned;
  // Who comes here chooses anew.
  if (native == NativeCall::as_it_came) learned.left[index_of(function)] = {};
  if (options_.algorithm == kAuto) {
    learned_ = &learned.of(kind_of(options_, kind_.name(), native, function));
    if (!agrees()) decide();
  } else {
    configuration_ = &options_;
    is_native_ = options_.algorithm == kNative;
  }
}

[[gnu::hot]] bool TunedCall::agrees() const {
  if (learned_ == nullptr) return false;
  if (!learns(context_)) return all_know_lengths_;
  return learned_->current == nullptr || learned_->current->learner.is_due() ||
         (all_know_lengths_ && learned_->unlearned_calls == 0);
}

/// Agrees with the other ranks, where there are any, and finds the candidates.
void TunedCall::agree_on(const CallTraffic& traffic) {
  AgreementCost cost;
  CallTraffic agreed = traffic;
  if (learns(context_)) agreed.numbers = agree(traffic.numbers, cost);
  LearnedTraffic& found = find(agreed);
  const auto native = native_of(found.candidates);
  if (learned_->avoids_native && native) (void)found.learner.leave_out(*native);
  learned_->current = &found;
  found.learner.assign(cost, context_.tuning.learned.budget);
  learned_->unlearned_run = std::clamp(2 * learned_->unlearned_run, 1, Learner::kMostCalls);
  learned_->unlearned_calls = learned_->unlearned_run;
}

/// The window is each rank's own.
[[gnu::hot]] void TunedCall::decide() {
  traffic_ = learns(context_) || all_know_lengths_ ? learned_->current : nullptr;
  if (all_know_lengths_ && !traffic_->learner.has_choice()) --learned_->unlearned_calls;
  if (traffic_ == nullptr && !learned_->only) {
    learned_->only = with_algorithm(kind_.straight(), options_);
  }
  Configuration& decided =
      traffic_ == nullptr ? *learned_->only : traffic_->candidates[traffic_->learner.take()];
  decided.window = options_.window;
  configuration_ = &decided;
  is_native_ = decided.algorithm == kNative;
  if (traffic_ != nullptr && traffic_->learner.is_timed()) begin_ = seconds_now();
}

/// All ranks know of the same lengths, but of others than they agreed on last.
void TunedCall::time_if_like(const CallTraffic& traffic) {
  if (kind_.signature_of(traffic.numbers) != traffic_->signature) begin_ = 0;
}

std::string TunedCall::name_in_wisdom() const {
  if (native_ == NativeCall::as_it_came) return fmt::format("preloaded {}", kind_.name());
  return fmt::format("{} call", kind_.name());
}

/// What the ranks tell each other: what the last calls took, if there were any, whether MPI's own
/// function failed, and `own` numbers, of which it returns the most.
TrafficNumbers TunedCall::agree(const TrafficNumbers& own, AgreementCost& cost) {
  traffic_ = learned_->current;
  double& last = context_.tuning.learned.agreement_seconds;
  std::array<double, 5 + std::tuple_size_v<TrafficNumbers>> mine{
      traffic_ == nullptr ? 0 : traffic_->own_seconds, -last, last,
      traffic_ != nullptr && traffic_->failed ? 1.0 : 0.0, avoids_native_ ? 1.0 : 0.0};
  std::ranges::transform(own, mine.begin() + 5,
                         [](Bytes number) { return static_cast<double>(number); });
  std::array<double, mine.size()> most{};
  const double begin = seconds_now();
  context_.progress.reduce(mine.data(), most.data(), static_cast<int>(mine.size()), MPI_DOUBLE,
                           MPI_MAX);
  last = seconds_now() - begin;
  cost = {-most[1], most[2]};
  if (most[3] > 0) {
    // What the ranks made their last calls with failed on one of them.
    traffic_->failed = false;
    traffic_->own_seconds = 0;
    traffic_->learner.leave_out_current();
  } else if (most[0] > 0) {
    note(most[0]);
  }
  learned_->avoids_native = learned_->avoids_native || most[4] > 0;
  TrafficNumbers agreed;
  std::transform(most.begin() + 5, most.end(), agreed.begin(),
                 [](double number) { return static_cast<Bytes>(number); });
  return agreed;
}

LearnedTraffic& TunedCall::find(const CallTraffic& agreed) {
  const TrafficSignature signature = kind_.signature_of(agreed.numbers);
  const auto known = learned_->traffics.find(signature);
  if (known != learned_->traffics.end()) return known->second;
  // Calls learn no more than that.
  Options asked = options_;
  asked.effort = std::min(asked.effort, Effort::measure);
  const Recalled recalled = recall_together(context_, {name_in_wisdom(), asked, signature});
  std::vector<Configuration> candidates = kind_.candidates(context_, options_, native_, agreed);
  if (recalled.effort == Effort::estimate || !learns(context_)) candidates.resize(1);
  const auto fallback = falls_back(candidates.front()) ? native_of(candidates) : std::nullopt;
  const TimedCalls timed =
      kind_.waits_for_all(agreed.numbers, context_.ranks()) ? TimedCalls::warm : TimedCalls::all;
  const Learner learner(candidates.size(), timed, fallback);
  LearnedTraffic learned{signature, std::move(candidates), learner};
  if (recalled.entry) settle_on(*recalled.entry, options_, learned);
  // Where the traffic is known, nobody has to agree on what nobody may try.
  const TuningBudget& budget = context_.tuning.learned.budget;
  if (!budget.suffices()) learned.learner.assign({}, budget);
  return learned_->traffics.emplace(signature, std::move(learned)).first->second;
}

void TunedCall::note(double seconds) {
  Learner& learner = traffic_->learner;
  const bool is_news = learner.note(seconds, context_.tuning.learned.budget);
  traffic_->own_seconds = 0;
  if (!is_news || context_.rank() != 0) return;
  const WisdomKey key = wisdom_key(context_, {name_in_wisdom(), options_, traffic_->signature});
  const WisdomEntry entry = entry_of(*traffic_, options_);
  remember(key, entry);
  if (is_verbose()) say(news_of(entry, key.ranks, traffic_->signature));
}

[[gnu::hot]] void TunedCall::end() {
  if (begin_ > 0) traffic_->own_seconds += seconds_now() - begin_;
}

void TunedCall::fail() {
  if (traffic_ != nullptr) traffic_->failed = true;
}

void TunedCall::leave_to_mpi() {
  if (!is_left_to_caller() || options_.memory != 0) return;
  LeftToMpi& left = context_.tuning.learned.left[index_of(function_)];
  if (learned_ == nullptr) {
    left.all = true;
  } else if (traffic_ != nullptr) {
    left = {false, traffic_};
  }
}

}  // namespace shunt
