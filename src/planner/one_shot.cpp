#include "planner/one_shot.hpp"

#include <algorithm>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <mpi.h>

#include "exchange/native_call.hpp"
#include "exchange/simulated.hpp"
#include "model/say.hpp"
#include "planner/broadcast_choice.hpp"
#include "planner/choose.hpp"
#include "planner/clock.hpp"
#include "planner/memory_limit.hpp"
#include "planner/patient.hpp"
#include "planner/plan_choice.hpp"
#include "planner/process_wisdom.hpp"
#include "planner/recalled_choice.hpp"
#include "planner/trials.hpp"

namespace shunt {

namespace {

CallKind kind_of(const Options& options, bool broadcast, NativeCall native, int function) {
  CallKind kind;
  kind.broadcast = broadcast;
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

/// The preferred one first, MPI's own last. What all ranks have together nobody has asked: at most
/// as much as the busiest one each. Nothing is beyond the limit of memory for a traffic like this;
/// what is for another one is made in parts.
std::vector<Configuration> likely_exchanges(Context& context, const Options& options,
                                            const CallTraffic& traffic) {
  const TrafficBound& bound = traffic.bound;
  const std::shared_ptr<const Machine> machine = context.topology.machine();
  const std::shared_ptr<const Profile> profile = context.tuning.profile();
  const Surroundings surroundings = context.topology.surroundings();
  const TrafficSummary summary{bound, static_cast<Rank>(traffic.messages),
                               bound.largest_load * context.ranks()};
  const AlltoallvCase exchange{*profile, surroundings,       *machine,
                               summary,  CallForm::one_shot, options};
  std::vector<Configuration> candidates{usual_configuration(exchange)};
  append_new(likely_exchanges(exchange), candidates);
  (void)fit(context, options, {bound, CallForm::one_shot, traffic.packing}, candidates);
  append_new({with_algorithm(kNative, options)}, candidates);
  return candidates;
}

/// A simulated call is made once, so there is nothing to learn from it.
bool learns(const Context& context) { return !kSimulated && context.ranks() > 1; }

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

CallTraffic call_traffic_of(const std::vector<Bytes>& sent, const std::vector<Bytes>& received,
                            Rank own) {
  CallTraffic traffic;
  traffic.bound = traffic_of(sent, received);
  traffic.load_of_others = load_of_others(sent, received, own);
  for (const std::vector<Bytes>* side : {&sent, &received}) {
    const Bytes messages = std::ranges::count_if(*side, [](Bytes bytes) { return bytes > 0; });
    traffic.messages = std::max(traffic.messages, messages);
  }
  return traffic;
}

CallTraffic call_traffic_of(const BlockParts& parts, Rank own) {
  CallTraffic traffic = call_traffic_of(parts.sent(), parts.received(), own);
  traffic.packing = parts.packing();
  return traffic;
}

[[gnu::hot]] OneShot::OneShot(Context& context, const Options& options, NativeCall native,
                              const char* kind, bool broadcast, int function)
    : context_(context),
      options_(options),
      native_(native),
      name_(kind),
      broadcast_(broadcast),
      function_(function),
      kind_(context.tuning.learned.of(kind_of(options, broadcast, native, function))) {
  // Who comes here chooses anew.
  if (native == NativeCall::as_it_came) context.tuning.learned.left[index_of(function)] = {};
}

OneShot::OneShot(Context& context, const Options& options, NativeCall native, const char* kind,
                 const std::vector<Bytes>& lengths)
    : OneShot(context, options, native, kind, true) {
  if (agrees()) agree_on(lengths);
  decide();
  time_if_like(lengths);
}

[[gnu::hot]] bool OneShot::agrees() const {
  if (!learns(context_)) return broadcast_;
  return kind_.current == nullptr || kind_.current->learner.is_due() ||
         (broadcast_ && kind_.unlearned_calls == 0);
}

void OneShot::agree_on(const CallTraffic& traffic) {
  AgreementCost cost;
  const Numbers most =
      agree({static_cast<double>(traffic.bound.largest_load),
             static_cast<double>(traffic.bound.longest_block),
             static_cast<double>(traffic.messages), static_cast<double>(traffic.load_of_others)},
            cost);
  CallTraffic agreed = traffic;
  agreed.bound = {static_cast<Bytes>(most[0]), static_cast<Bytes>(most[1])};
  agreed.messages = static_cast<Bytes>(most[2]);
  agreed.load_of_others = static_cast<Bytes>(most[3]);
  kind_.current = &without_what_fails(find(
      signature_of(BusiestRank{agreed.load_of_others, agreed.bound.longest_block, agreed.messages}),
      [&] { return likely_exchanges(context_, options_, agreed); }, TimedCalls::warm));
  kind_.current->learner.assign(cost, context_.tuning.learned.allowance);
}

void OneShot::agree_on(const std::vector<Bytes>& lengths) {
  SourceTotals agreed = totals_of(lengths);
  AgreementCost cost;
  if (learns(context_)) {
    const Numbers most =
        agree({static_cast<double>(agreed.bytes), static_cast<double>(agreed.sources),
               static_cast<double>(agreed.longest_length), 0},
              cost);
    agreed.bytes = static_cast<Bytes>(most[0]);
    agreed.sources = static_cast<Rank>(most[1]);
    agreed.longest_length = static_cast<Bytes>(most[2]);
  }
  const bool all_wait = agreed.sources == context_.ranks();
  kind_.current = &without_what_fails(find(
      signature_of(agreed), [&] { return likely_of_first(lengths); },
      all_wait ? TimedCalls::warm : TimedCalls::all));
  kind_.current->learner.assign(cost, context_.tuning.learned.allowance);
  kind_.unlearned_run = std::clamp(2 * kind_.unlearned_run, 1, Learner::kMostCalls);
  kind_.unlearned_calls = kind_.unlearned_run;
}

/// What rank 0 finds likely: where a program errs, ranks know of other lengths.
std::vector<Configuration> OneShot::likely_of_first(const std::vector<Bytes>& lengths) {
  const Sources sources(lengths);
  const std::shared_ptr<const Machine> machine = context_.topology.machine();
  std::vector<Configuration> candidates = likely_broadcasts(
      {sources, *machine, may_use_boards(context_, options_)}, *context_.tuning.profile(),
      context_.topology.surroundings(), CallForm::one_shot, options_);
  const bool carries = native_ == NativeCall::as_it_came || allgatherv_carries(sources.total());
  if (carries) candidates.push_back(with_algorithm(kNative, options_));
  if (!learns(context_)) return candidates;
  std::string text;
  for (const Configuration& candidate : candidates) text += candidate.algorithm + "\n";
  std::istringstream lines(context_.progress.text_of_first(text));
  candidates.clear();
  for (std::string line; std::getline(lines, line);) {
    candidates.push_back(with_algorithm(line, options_));
  }
  return candidates;
}

/// The window is each rank's own.
[[gnu::hot]] void OneShot::decide() {
  traffic_ = learns(context_) || broadcast_ ? kind_.current : nullptr;
  if (broadcast_ && !traffic_->learner.has_choice()) --kind_.unlearned_calls;
  if (traffic_ == nullptr && !kind_.only) kind_.only = with_algorithm(kStraight, options_);
  Configuration& decided =
      traffic_ == nullptr ? *kind_.only : traffic_->candidates[traffic_->learner.take()];
  decided.window = options_.window;
  configuration_ = &decided;
  is_native_ = decided.algorithm == kNative;
  if (traffic_ != nullptr && traffic_->learner.is_timed()) begin_ = seconds_now();
}

void OneShot::time_if_like(const std::vector<Bytes>& lengths) {
  if (begin_ > 0 && signature_of(totals_of(lengths)) != traffic_->signature) begin_ = 0;
}

std::string OneShot::name_in_wisdom() const {
  if (native_ == NativeCall::as_it_came) return fmt::format("preloaded {}", name_);
  return fmt::format("{} call", name_);
}

/// What the ranks tell each other: what the last calls took, if there were any, whether MPI's own
/// function failed, and `own` numbers, of which it returns the most.
OneShot::Numbers OneShot::agree(const Numbers& own, AgreementCost& cost) {
  traffic_ = kind_.current;
  double& last = context_.tuning.learned.agreement_seconds;
  const double mine[] = {traffic_ == nullptr ? 0 : traffic_->own_seconds,
                         -last,
                         last,
                         traffic_ != nullptr && traffic_->failed ? 1.0 : 0.0,
                         own[0],
                         own[1],
                         own[2],
                         own[3],
                         avoids_native_ ? 1.0 : 0.0};
  double most[] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  const double begin = seconds_now();
  context_.progress.reduce(mine, most, 9, MPI_DOUBLE, MPI_MAX);
  last = seconds_now() - begin;
  cost = {-most[1], most[2]};
  if (most[3] > 0) {
    leave_out();
  } else if (most[0] > 0) {
    note(most[0]);
  }
  kind_.avoids_native = kind_.avoids_native || most[8] > 0;
  return {most[4], most[5], most[6], most[7]};
}

LearnedTraffic& OneShot::without_what_fails(LearnedTraffic& traffic) {
  const auto native = native_of(traffic.candidates);
  if (kind_.avoids_native && native) (void)traffic.learner.leave_out(*native);
  return traffic;
}

/// What the ranks made their last calls with failed on one of them.
void OneShot::leave_out() {
  traffic_->failed = false;
  traffic_->own_seconds = 0;
  traffic_->learner.leave_out_current();
}

LearnedTraffic& OneShot::find(const TrafficSignature& signature, const Likely& likely,
                              TimedCalls timed) {
  const auto known = kind_.traffics.find(signature);
  if (known != kind_.traffics.end()) return known->second;
  // Calls learn no more than that.
  Options asked = options_;
  asked.effort = std::min(asked.effort, Effort::measure);
  const Recalled recalled = recall_together(context_, {name_in_wisdom(), asked, signature});
  std::vector<Configuration> candidates = likely();
  if (recalled.effort == Effort::estimate || !learns(context_)) candidates.resize(1);
  const auto fallback = falls_back(candidates.front()) ? native_of(candidates) : std::nullopt;
  const Learner learner(candidates.size(), timed, fallback);
  LearnedTraffic learned{signature, std::move(candidates), learner};
  if (recalled.entry) settle_on(*recalled.entry, options_, learned);
  // Where the traffic is known, nobody has to agree on what nobody may try.
  const Allowance& allowance = context_.tuning.learned.allowance;
  if (!allowance.suffices()) learned.learner.assign({}, allowance);
  return kind_.traffics.emplace(signature, std::move(learned)).first->second;
}

void OneShot::note(double seconds) {
  Learner& learner = traffic_->learner;
  const bool is_news = learner.note(seconds, context_.tuning.learned.allowance);
  traffic_->own_seconds = 0;
  if (!is_news || context_.rank() != 0) return;
  const WisdomKey key = wisdom_key(context_, name_in_wisdom(), options_, traffic_->signature);
  const WisdomEntry entry = entry_of(*traffic_, options_);
  remember(key, entry);
  if (is_verbose()) say(news_of(entry, key.ranks, traffic_->signature));
}

[[gnu::hot]] void OneShot::end() {
  if (begin_ > 0) traffic_->own_seconds += seconds_now() - begin_;
}

void OneShot::fail() {
  if (traffic_ != nullptr) traffic_->failed = true;
}

void OneShot::leave_to_mpi() {
  if (traffic_ != nullptr) context_.tuning.learned.left[index_of(function_)] = {false, traffic_};
}

}  // namespace shunt
